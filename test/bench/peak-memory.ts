import { readFileSync } from 'node:fs'

/**
 * The most memory that this process had so far, kB. Linux begins the maximum of `process.resourceUsage` with that of the
 * process that started this one, which may be larger than all that is measured here, but not the one of /proc.
 */
export function peakMemory(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? []
  return Number(peak)
}
