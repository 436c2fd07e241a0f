import { generateKeyPairSync, sign } from 'node:crypto'

/** A private key with its certificate, in PEM. */
export interface SelfSigned {
  readonly key: string
  readonly cert: string
}

/** A value in DER (X.690): tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const hex = (text: string) => Buffer.from(text, 'hex')
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const set = (...parts: readonly Buffer[]) => der(0x31, ...parts)
const oid = (text: string) => der(0x06, hex(text))
const time = (ms: number) =>
  der(
    0x17,
    Buffer.from(
      `${new Date(ms)
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(2, 14)}Z`,
    ),
  )

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = '550403'
const BASIC_CONSTRAINTS = '551d13'
const SUBJECT_ALT_NAME = '551d11'

/** A certificate for `localhost` and 127.0.0.1 that signs itself (RFC 5280), good for an hour before and a day after now. */
export function selfSigned(): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid(COMMON_NAME), der(0x0c, Buffer.from('localhost')))))
  const alternatives = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))
  const isAuthority = sequence(der(0x01, hex('ff')))
  const extensions = sequence(
    sequence(oid(BASIC_CONSTRAINTS), der(0x01, hex('ff')), der(0x04, isAuthority)),
    sequence(oid(SUBJECT_ALT_NAME), der(0x04, alternatives)),
  )
  const content = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, hex('01')),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(Date.now() - 3_600_000), time(Date.now() + 86_400_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = der(0x03, hex('00'), sign('sha256', content, privateKey))
  const whole = sequence(content, ECDSA_WITH_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
