import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../domain/sluice-error.ts'
import type { BlockStore, Blocks } from './block-store.ts'

const banSchema = z.strictObject({ since: z.int(), until: z.int(), strikes: z.int().min(1) })
const weightSchema = z.strictObject({ since: z.int(), until: z.int() })

const blocksSchema = z.union([
  z.strictObject({ ban: banSchema.optional(), weight: weightSchema.optional() }),
  // A file of a version that remembered bans only.
  banSchema.transform((ban): Blocks => ({ ban })),
])

/**
 * Stores blocks in a small JSON file; `save` creates its folder. Each save replaces the file as a whole, so
 * that a crash leaves the old or the new content. Both throw `UsageError` if the file does not hold blocks.
 */
export function fileBlockStore(path: string): BlockStore {
  return { load: () => loadBlocks(path), save: changed => saveBlocks(path, changed) }
}

function loadBlocks(path: string): Blocks {
  const text = textOf(path)
  if (text === undefined) return {}
  try {
    return blocksSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new UsageError(
      `${path} should remember until when the exchange blocks this address, but it cannot be read; delete it once you know that there is no ban.`,
      cause,
    )
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new UsageError(`${path} cannot be read; it remembers until when the exchange blocks us.`, error)
  }
}

function saveBlocks(path: string, changed: Blocks): void {
  const blocks = { ...loadBlocks(path), ...changed }
  const temporary = `${path}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(temporary, `${JSON.stringify(blocks)}\n`, { flush: true })
    renameSync(temporary, path)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}
