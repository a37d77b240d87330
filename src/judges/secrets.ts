import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where a secret is kept: a file goes before the variable. */
export interface SecretPlace {
  readonly env: string;
  readonly file: string | null;
}

/**
 * A secret or what is missing. It is read when a call needs it, so that a token that is renewed in its
 * file keeps working, and is handed on as a value of its own type: nothing prints it by accident.
 */
export type ReadSecret = (place: SecretPlace) => SecretResult;
export type SecretResult =
  | { readonly ok: true; readonly secret: Secret }
  | { readonly ok: false; readonly lack: string };

/** What keeps a secret from being read, as a sentence; null when it is there. */
export function findLack(readSecret: ReadSecret, place: SecretPlace): string | null {
  const found = readSecret(place);
  return found.ok ? null : found.lack;
}

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself, for a header. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }
}

export function createSecretReader(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): ReadSecret {
  return ({ env: name, file }) => {
    if (file === null) {
      return check(Object.hasOwn(env, name) ? env[name] : undefined, describeVariable(name));
    }
    try {
      return check(readFileSync(resolve(folder, file), 'utf8'), `the file ${file}`);
    } catch {
      return { ok: false, lack: `the file ${file} cannot be read` };
    }
  };
}

/** The name is told only where it can be none but a name: some put the secret itself there. */
function describeVariable(name: string): string {
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(name)
    ? `the environment variable ${name}`
    : 'an environment variable whose name is not in capitals';
}

function check(text: string | undefined, where: string): SecretResult {
  const value = text?.trim() ?? '';
  if (value === '') return { ok: false, lack: `${where} holds no secret` };
  // A line break would end the header it is sent in.
  if (!/^[\x21-\x7e]+$/.test(value)) {
    return { ok: false, lack: `${where} holds characters that a secret cannot have` };
  }
  return { ok: true, secret: new Secret(value) };
}
