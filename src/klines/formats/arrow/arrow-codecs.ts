import { zstdDecompressSync } from 'node:zlib'
import { CompressionType, compressionRegistry } from 'apache-arrow'
import { mostColumnBytes } from '../growing-columns.ts'
import { decompressFrame } from './lz4-frame.ts'

/** Registers the compressions of pandas and freqtrade with the Arrow library. */
export function registerArrowCodecs(): void {
  compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: decompressFrame })
  compressionRegistry.set(CompressionType.ZSTD, {
    decode: frame => zstdDecompressSync(frame, { maxOutputLength: mostColumnBytes() }),
  })
}
