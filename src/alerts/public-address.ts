import { BlockList, isIP } from 'node:net';

/**
 * Networks that a webhook must not reach unless the configuration says so (otlp.md S6): this host,
 * private and carrier networks, link-local with the cloud metadata services, documentation, benchmarks,
 * multicast, reserved, and every IPv6 form that carries an IPv4 address.
 */
const networks: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['::', 96, 'ipv6'],
  ['::ffff:0:0', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

// One list per family: in a common list `::ffff:0:0/96` would also stand for every IPv4 address.
const blocked = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix, family] of networks) {
  blocked[family].addSubnet(network, prefix, family);
}

/** True for an address of the public internet; false for anything else, also for what is no address. */
export function isPublicAddress(address: string): boolean {
  const withoutZone = address.replace(/%.*$/, '');
  switch (isIP(withoutZone)) {
    case 4:
      return !blocked.ipv4.check(withoutZone, 'ipv4');
    case 6:
      return !blocked.ipv6.check(withoutZone, 'ipv6');
    default:
      return false;
  }
}
