import type { Instrument } from '../../domain/instrument.ts'

/** Warning about a contract without a configured maintenance rate, in a sentence with its remedy. */
export function unknownMaintenance({ symbol, futures }: Instrument): string | undefined {
  if (futures === undefined || futures.maintenance.length > 0) return undefined
  return `The exchange lists nowhere what a position of ${symbol} must keep, and the configuration does not say it: its liquidation price counts fees only, and the real one is nearer. Write the rates that the exchange publishes under instruments, as maintenanceMarginRate or maintenanceTiers of ${symbol}.`
}
