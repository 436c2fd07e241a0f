// biome-ignore lint/correctness/useImportExtensions: it comes first, so that an old Node that starts this file is told so.
import './main.js'
import { runCommandLine } from './cli/command-line.ts'
import { INTERRUPTED } from './cli/interruption.ts'
import { isFailureOfStrategy } from './sandbox/strategy-scope.ts'

/** Delay before a finished process is ended, ms: a package may have left a timer behind. */
const LEFT_BEHIND_MS = 500

// A promise that a strategy left behind fails that strategy; any other unhandled rejection is a bug in
// Sluice, and ends the process.
process.on('unhandledRejection', cause => {
  if (!isFailureOfStrategy(cause)) throw cause
})
process.exitCode = await runCommandLine(process.argv.slice(2), { out: process.stdout, err: process.stderr })
// The interrupted work may still be reading.
if (process.exitCode === INTERRUPTED) process.exit()
// After all output is written.
process.stdout.write('', () => setTimeout(() => process.exit(), LEFT_BEHIND_MS).unref())
