import { decompressBlock } from 'lz4js'

const MAGIC = 0x184d2204
const VERSION = 0b01
const UNCOMPRESSED = 0x80000000
const CHECKSUM_BYTES = 4
/** Largest buffer for a frame; untouched parts cost no memory. */
const MOST_BYTES = 2 ** 32

interface Block {
  readonly start: number
  readonly length: number
  readonly isCompressed: boolean
}

/**
 * Content of an LZ4 frame ("LZ4 Frame Format Description" 1.6.4); throws an `Error` for a truncated or
 * invalid frame. The library decompresses blocks only: its own frame parser trusts every length, and can run
 * for minutes on a damaged frame.
 */
export function decompressFrame(frame: Uint8Array): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const flags = view.getUint8(4)
  const maximum = 1 << (8 + 2 * ((view.getUint8(5) >> 4) & 7))
  if (view.getUint32(0, true) !== MAGIC || flags >> 6 !== VERSION || maximum < 1 << 16) {
    throw new Error('This is no LZ4 frame.')
  }
  const blocks = blocksIn(view, flags)
  if (blocks.length * maximum > MOST_BYTES) throw new Error('The LZ4 frame has too many blocks.')
  const target = new Uint8Array(blocks.length * maximum)
  let end = 0
  for (const { start, length, isCompressed } of blocks) {
    const most = end + maximum
    if (isCompressed) end = decompressBlock(frame, target, start, length, end)
    else {
      target.set(frame.subarray(start, start + length), end)
      end += length
    }
    if (end > most) throw new Error('A block of the LZ4 frame is larger than it may be.')
  }
  return target.subarray(0, end)
}

/** Finds the blocks between the header and the end mark. */
function blocksIn(view: DataView, flags: number): readonly Block[] {
  const [hasBlockChecksums, hasSize, hasDictionary] = [flags & 16, flags & 8, flags & 1]
  const blocks: Block[] = []
  // Header: magic number, flags, block size, content size, dictionary, checksum.
  let at = 6 + (hasSize ? 8 : 0) + (hasDictionary ? 4 : 0) + 1
  // Throws if the frame ends without an end mark.
  for (let size = view.getUint32(at, true); size !== 0; size = view.getUint32(at, true)) {
    const length = size & ~UNCOMPRESSED
    blocks.push({ start: at + 4, length, isCompressed: (size & UNCOMPRESSED) === 0 })
    at += 4 + length + (hasBlockChecksums ? CHECKSUM_BYTES : 0)
  }
  return blocks
}
