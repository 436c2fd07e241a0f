import { writeFileSync } from 'node:fs'

// Imported into a process by backtest-command.ts: writes the CPU time of the whole process, in ms, once it ends.
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  writeFileSync(process.env.CPU_TIME_FILE ?? '', String((user + system) / 1000))
})
