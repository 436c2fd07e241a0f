import { describe, expect, it } from 'vitest'
import { decompressFrame } from '../../../../src/klines/formats/arrow/lz4-frame.ts'

/** Magic number, flags of version 1, blocks of 64 KiB, and the checksum of those, which is not looked at. */
const HEADER = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82]
const END = [0, 0, 0, 0]
/** One literal "a", then nine bytes from one back. */
const TEN_TIMES_A = [4, 0, 0, 0, 0x15, 0x61, 1, 0]
const textOf = (bytes: readonly number[]) => Buffer.from(decompressFrame(Uint8Array.from(bytes))).toString()

describe('decompressFrame', () => {
  it('reads stored and compressed blocks, which may refer to those before them', () => {
    const stored = [3, 0, 0, 0x80, 0x78, 0x79, 0x7a]
    // No literal, then four bytes from three back: from the stored block.
    const linked = [3, 0, 0, 0, 0x00, 3, 0]
    expect(textOf([...HEADER, ...END])).toBe('')
    expect(textOf([...HEADER, ...TEN_TIMES_A, ...stored, ...linked, ...END])).toBe('aaaaaaaaaaxyzxyzx')
  })

  it('passes over sizes and checksums in the frame', () => {
    // With a checksum behind each block, and with the size of the content, which is 10.
    const [checked, sized] = [[...HEADER], [...HEADER.slice(0, 6), 10, 0, 0, 0, 0, 0, 0, 0, 0x82]]
    checked[4] = 0x70
    sized[4] = 0x68
    expect(textOf([...checked, ...TEN_TIMES_A, 1, 2, 3, 4, ...END])).toBe('aaaaaaaaaa')
    expect(textOf([...sized, ...TEN_TIMES_A, ...END])).toBe('aaaaaaaaaa')
  })

  it.each([
    ['that is none', [...'no frame'].map(letter => letter.charCodeAt(0))],
    ['without an end', [...HEADER, ...TEN_TIMES_A]],
    ['whose block is cut', [...HEADER, 200, 0, 0, 0, 1, 2, 3, 4, 5, 6]],
    // A match of 4 + 15 + 300 * 255 bytes.
    [
      'whose block holds more than 64 KiB',
      [...HEADER, 0x31, 1, 0, 0, 0x1f, 0x61, 1, 0, ...Array(300).fill(255), 0, ...END],
    ],
  ])('throws for a frame %s', (_, bytes) => {
    expect(() => decompressFrame(Uint8Array.from(bytes))).toThrow(Error)
  })
})
