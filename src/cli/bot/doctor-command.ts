import Table from 'cli-table3'
import { examineBot } from '../../bot/doctor/examine-bot.ts'
import type { Diagnosis, Finding, WouldTrade } from '../../bot/doctor/finding.ts'
import { loadBotConfig } from '../../config/load-bot-config.ts'
import type { CommandOutput } from '../streams.ts'

export interface DoctorOptions {
  /** Path of the bot's configuration. */
  readonly config: string
  /** Write one JSON object instead of tables. */
  readonly json: boolean
}

/**
 * Checks a bot's requirements; resolves to the exit code: 0 without problems, otherwise 1. Rejects with
 * `UsageError` for an unusable configuration or environment (2).
 */
export async function runDoctor({ config: path, json }: DoctorOptions, out: CommandOutput): Promise<number> {
  const { config, credentials } = loadBotConfig(path, process.env)
  const diagnosis = await examineBot(config, credentials, path)
  out.write(json ? `${JSON.stringify(diagnosis)}\n` : textOf(path, diagnosis))
  return diagnosis.isHealthy ? 0 : 1
}

const WIDTHS = [12, 30, 9, 76]

function textOf(path: string, { findings, wouldTrade, isHealthy }: Diagnosis): string {
  const table = new Table({
    head: ['what', 'which', '', 'found'],
    style: { head: [], border: [], compact: true },
    colWidths: WIDTHS,
    wordWrap: true,
  })
  for (const finding of findings) table.push(rowOf(finding))
  const wrong = findings.filter(({ status }) => status === 'problem').length
  const verdict = isHealthy
    ? `Nothing stands in the way of trading with ${path}.`
    : `${wrong === 1 ? '1 problem stands' : `${wrong} problems stand`} in the way of trading with ${path}.`
  const trades =
    wouldTrade.length === 0 ? '' : `An entry would be, at the present price:\n${tradesText(wouldTrade)}\n`
  return `The configuration ${path} can be used.\n${table.toString()}\n${trades}${verdict}\n`
}

function rowOf({ check, subject, status, found, advice }: Finding): string[] {
  return [check, subject, status, advice === undefined ? found : `${found}\nTo do: ${advice}`]
}

function tradesText(wouldTrade: readonly WouldTrade[]): string {
  const table = new Table({
    head: ['strategy', 'symbol', 'interval', 'size', 'quantity', 'price', 'notional'],
    style: { head: [], border: [], compact: true },
  })
  for (const { strategy, symbol, interval, size, quantity, price, notional } of wouldTrade)
    table.push([strategy, symbol, interval, size, quantity ?? 'refused', price, notional ?? 'n/a'])
  return table.toString()
}
