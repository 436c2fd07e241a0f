import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { journalPath } from '../journal/journal-session.ts'
import { fileWith, ROOT, SluiceProcess } from './sluice-process.ts'

/** Keys of the test account of a simulated exchange, as a bot reads them. */
export const KEYS = { SLUICE_API_KEY: TEST_ACCOUNT.apiKey, SLUICE_API_SECRET: TEST_ACCOUNT.apiSecret }

/** The objects on the lines of an output; fails where one is no JSON. */
export function objectsOn(lines: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  return lines.map(line => JSON.parse(line))
}

/** A configuration of the project whose journal is in a folder of its own: the one that it names is somebody's paper account. */
export function paper(name: string): string {
  const journal = JSON.stringify(journalPath())
  return fileWith(
    name,
    readFileSync(join(ROOT, 'config', name), 'utf8').replace(/file: data\/.*\.journal/, `file: ${journal}`),
  )
}

/** Runs a bot until it has said something so often, and has it leave; gives the lines of its output as objects. */
export async function saidUntil(text: string, count: number, config: string) {
  const bot = new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'])
  await bot.line(text, 'out', count)
  bot.signal('SIGINT')
  expect(await bot.exitCode).toBe(0)
  expect(bot.err).toBe('')
  expect(bot.out.endsWith('}\n')).toBe(true)
  return objectsOn(bot.lines)
}

/** The summary at the end of a bot that was told to leave. */
export const SUMMARY = {
  complete: true,
  klines: expect.any(Number),
  signals: expect.any(Number),
  denials: expect.any(Number),
  orders: expect.any(Number),
  rejections: expect.any(Number),
  fills: expect.any(Number),
  roundTrips: expect.any(Number),
  tradingChanges: 0,
  trading: { account: 'active' },
  position: { 'BTC/USDT': expect.any(String) },
  held: expect.any(Array),
  profit: { USDT: expect.stringMatching(/^-?\d+(\.\d+)?$/) },
  realised: expect.any(Object),
  open: expect.any(Object),
  moved: { USDT: '0' },
  other: expect.any(Object),
  fees: expect.any(Object),
  funding: expect.any(Object),
  equity: { USDT: expect.stringMatching(/^\d+(\.\d+)?$/) },
  balances: expect.objectContaining({ USDT: expect.stringMatching(/^\d+(\.\d+)?$/) }),
  stopped: [],
  leftBehind: expect.stringMatching(/^(Nothing of this bot is held|Still held: .+)\. /),
}
