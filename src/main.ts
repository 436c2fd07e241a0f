import { enableCompileCache } from 'node:module'

// Node keeps compiled modules among the system's temporary files; that halves the time of every start but the first.
enableCompileCache()
const { runCommandLine } = await import('./cli/command-line.ts')
const { INTERRUPTED } = await import('./cli/interruption.ts')

process.exitCode = await runCommandLine(process.argv.slice(2), { out: process.stdout, err: process.stderr })
// What was interrupted may still be reading.
if (process.exitCode === INTERRUPTED) process.exit()
