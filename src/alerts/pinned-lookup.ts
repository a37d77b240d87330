import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export type Pinned =
  | { readonly kind: 'ok'; readonly lookup: LookupFunction }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Resolves the host of a webhook once and pins the answer, so that the address that was checked is the
 * one that is connected to (otlp.md S6). Asked before every delivery. Every address of the name must be
 * public, not only one of them. Rejects when the name cannot be resolved.
 */
export async function pinAddress(
  url: URL,
  allowPrivate: boolean,
  resolve: Resolve,
): Promise<Pinned> {
  if (url.protocol !== 'https:' && !allowPrivate) {
    return { kind: 'refused', message: `${url.origin} is not https` };
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
  const [first] = addresses;
  if (first === undefined) return { kind: 'refused', message: `${host} has no address` };
  const wrong = addresses.find(({ address }) => !allowPrivate && !isPublicAddress(address));
  if (wrong !== undefined) {
    return {
      kind: 'refused',
      message: `${host} is ${wrong.address}, which is not a public address`,
    };
  }
  const lookup: LookupFunction = (_, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
  return { kind: 'ok', lookup };
}
