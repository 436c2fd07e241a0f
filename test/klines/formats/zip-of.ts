import { crc32, deflateRawSync } from 'node:zlib'

/** A ZIP archive of some files, deflated, as APPNOTE.TXT of PKWARE has it. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const entries: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const data = deflateRawSync(text)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(crc32(text), 10)
    shared.writeUInt32LE(data.length, 14)
    shared.writeUInt32LE(Buffer.byteLength(text), 18)
    shared.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), data])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), shared, rest, Buffer.from(name)]))
    entries.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...entries, ...directory, Buffer.from('PK\x05\x06'), end])
}
