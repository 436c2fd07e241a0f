import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const scryptKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

const KEY_BYTES = 32
const SALT_BYTES = 16
/** Cost of a hash: 64 MiB and about a fifth of a second. */
const COST = { N: 65_536, r: 8, p: 1 } as const

/** A password of 120 random bits, in letters and digits. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url')
}

/** The hash of a password as a configuration has it: `scrypt:N:r:p:SALT:KEY`. */
export async function passwordHash(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await scryptKey(password, salt, KEY_BYTES, optionsOf(COST))
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join(':')
}

/** True if a hash of `passwordHash` is that of the password; takes equally long for every password. */
export async function isPasswordOf(hash: string, password: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = hash.split(':')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const expected = Buffer.from(key, 'base64url')
  const given = await scryptKey(password, Buffer.from(salt, 'base64url'), KEY_BYTES, optionsOf(cost))
  return expected.length === KEY_BYTES && timingSafeEqual(given, expected)
}

/** scrypt needs 128 × N × r bytes. */
function optionsOf(cost: { readonly N: number; readonly r: number; readonly p: number }): ScryptOptions {
  return { ...cost, maxmem: 256 * cost.N * cost.r }
}
