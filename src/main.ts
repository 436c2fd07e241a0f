import { runCommandLine } from './cli/command-line.ts'
import { INTERRUPTED } from './cli/interruption.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), { out: process.stdout, err: process.stderr })
// What was interrupted may still be reading.
if (process.exitCode === INTERRUPTED) process.exit()
