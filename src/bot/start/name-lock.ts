import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BotConfig } from '../../config/bot-config.ts'
import { mainUrlOf } from '../../config/profiles/profile-field.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { Credentials } from '../../exchange/http/credentials.ts'
import { takeFileLock } from '../../files/file-lock.ts'
import { makePrivateFile } from '../../files/private-file.ts'

/** Ends a lock. */
type Unlock = () => void

/**
 * Refuses a second instance of a bot: locks its name on one account of a real exchange for this process, in a folder shared by all
 * processes of the machine: an exchange cannot distinguish the orders of another live bot of this name from
 * those of an earlier run. Throws `UsageError` while another process has it. If the lock file cannot be used,
 * `onUnusable` receives the reason.
 */
export function takeName(
  { bot, venue }: Pick<BotConfig, 'bot' | 'venue'>,
  credentials: Credentials | undefined,
  onUnusable: (why: string) => void,
  folder: string = tmpdir(),
): Unlock {
  if (venue.type !== 'exchange' || credentials === undefined) return () => {}
  const name = credentials.digestOf(`${new URL(mainUrlOf(venue)).host}\u0000${bot}`)
  let unlock: Unlock | undefined
  try {
    const path = join(folder, `sluice-bot-${name}.lock`)
    makePrivateFile(path)
    unlock = takeFileLock(path)
  } catch (error) {
    onUnusable(error instanceof Error ? error.message : String(error))
    return () => {}
  }
  if (unlock !== undefined) return unlock
  throw new UsageError(
    `Another process on this machine trades this account under the name "${bot}". Stop it first, or give one of the two another name (bot: in its configuration).`,
  )
}
