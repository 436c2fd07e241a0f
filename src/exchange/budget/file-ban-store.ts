import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../domain/sluice-error.ts'
import type { Ban, BanStore } from './ban-store.ts'

const banSchema = z.object({ since: z.int(), until: z.int(), strikes: z.int().min(1) })

/**
 * Stores a ban in a small JSON file; `save` creates its folder. Each save replaces the file as a whole, so
 * that a crash leaves the old or the new content. `load` throws `UsageError` if the file is not a stored ban.
 */
export function fileBanStore(path: string): BanStore {
  return { load: () => loadBan(path), save: ban => saveBan(path, ban) }
}

function loadBan(path: string): Ban | undefined {
  const text = textOf(path)
  if (text === undefined) return undefined
  try {
    return banSchema.parse(JSON.parse(text))
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

function saveBan(path: string, ban: Ban): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(temporary, `${JSON.stringify(ban)}\n`, { flush: true })
    renameSync(temporary, path)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}
