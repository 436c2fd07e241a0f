import type { BotConfig } from '../../config/bot-config.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { controlSocketOf } from '../control/control-socket.ts'
import { takenBy } from '../control/socket-path.ts'
import { whyNotMakable } from '../state/prepared-path.ts'
import { type Finding, problem, sound } from './finding.ts'

const ADVICE = 'Give another path in "control.socket".'

/**
 * Checks that a bot can create its control socket; `configPath` is the file of its configuration. Changes no
 * file.
 */
export async function examineControl(
  config: Pick<BotConfig, 'bot' | 'control'>,
  configPath: string,
): Promise<Finding> {
  let path: string
  try {
    path = controlSocketOf(config, configPath)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return problem('control', config.control.socket ?? 'socket', error.message, ADVICE)
  }
  const unmakable = whyNotMakable(path)
  if (unmakable !== undefined) {
    return problem('control', path, `The socket cannot be made: ${unmakable}.`, ADVICE)
  }
  const taken = await takenBy(path)
  if (taken !== undefined) return problem('control', path, taken.found, taken.advice)
  return sound('control', path, 'The socket can be made, and no bot listens there.')
}
