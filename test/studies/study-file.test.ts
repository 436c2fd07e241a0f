import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { StudyFile } from '../../src/studies/study-file.ts'
import type { StudyTrial, TrialIdentity } from '../../src/studies/study-trial.ts'

const identity: TrialIdentity = {
  ...{ strategy: 'sma-cross', symbol: 'BTC/USDT', interval: '1h' },
  ...{ code: 'c0', data: 'd0', config: 'f0', from: 1000, to: 2000, isSpan: false },
}

function trialWith(key: string, changes: Partial<StudyTrial> = {}): StudyTrial {
  return {
    ...identity,
    ...{ key, outcome: 'finished', parameters: { fast: 2, mode: 'near', isOn: true } },
    ...{ figures: { sharpe: 0.1 + 0.2, sortino: null }, firstDay: 19_000 },
    dailyReturns: Float64Array.of(0.1 + 0.2, -0, Number.MIN_VALUE, Number.NaN),
    ...changes,
  }
}

function file(): string {
  return join(mkdtempSync(join(tmpdir(), 'sluice-study-')), 'deep', 'study.sqlite')
}

describe('a study file', () => {
  it('gives back every bit of a trial, also to the next process', () => {
    const path = file()
    const failed = { ...trialWith('b', { outcome: 'failed', problem: 'It threw.' }) }
    const { figures: _, firstDay: __, dailyReturns: ___, ...withoutResult } = failed
    const study = new StudyFile(path)
    study.addTrial(trialWith('a'))
    study.addTrial(withoutResult)
    study.close()
    const again = new StudyFile(path)
    expect(again.trial('a')).toEqual(trialWith('a'))
    expect(again.trial('b')).toEqual(withoutResult)
    expect(again.trial('c')).toBeUndefined()
    again.close()
  })

  it('keeps the first trial of a key', () => {
    const study = new StudyFile(file())
    study.addTrial(trialWith('a'))
    study.addTrial(trialWith('a', { parameters: { fast: 3 } }))
    expect(study.trial('a')?.parameters).toEqual(trialWith('a').parameters)
    study.close()
  })

  it('finds the trials of a strategy on the same data and span, whatever their code and configuration', () => {
    const study = new StudyFile(file())
    study.addTrial(trialWith('b', { code: 'c1' }))
    study.addTrial(trialWith('a', { config: 'f1', parameters: { fast: 9 } }))
    study.addTrial(trialWith('c', { data: 'd1' }))
    study.addTrial(trialWith('d', { strategy: 'other' }))
    study.addTrial(trialWith('e', { isSpan: true }))
    study.addTrial(trialWith('f', { from: 1001 }))
    expect([...study.trialsOf(identity)].map(({ key }) => key)).toEqual(['a', 'b'])
    expect(study.groups()).toHaveLength(5)
    study.close()
  })

  it('counts codes and configurations of trials, and has the best of each configuration', () => {
    const study = new StudyFile(file())
    const add = (key: string, config: string, sharpe: number | null, changes: Partial<StudyTrial> = {}) =>
      study.addTrial(trialWith(key, { config, figures: { sharpe }, ...changes }))
    add('a', 'fees', 0.5)
    add('b', 'fees', 1.5, { code: 'c1' })
    add('d', 'free', 3)
    add('c', 'free', 3)
    add('e', 'none', null)
    add('f', 'fees', 9, { data: 'd1' })
    expect(study.groups().map(({ data, codes, configs }) => [data, codes, configs])).toEqual([
      ['d0', 2, 3],
      ['d1', 1, 1],
    ])
    const best = (count: number) => study.bestOfConfigs(identity, count).map(({ key }) => key)
    expect(best(10)).toEqual(['c', 'b'])
    expect(best(1)).toEqual(['c'])
    study.close()
  })

  it('counts a trial once where other code came to the same result', () => {
    const study = new StudyFile(file())
    study.addTrial(trialWith('a'))
    study.addTrial(trialWith('b', { code: 'c1' }))
    expect([...study.recordsBeside(identity)]).toHaveLength(1)
    study.addTrial(trialWith('c', { code: 'c2', dailyReturns: Float64Array.of(0.5) }))
    study.addTrial(trialWith('d', { parameters: { fast: 7 } }))
    study.addTrial(trialWith('e', { config: 'f1' }))
    expect([...study.recordsBeside(identity)]).toHaveLength(4)
    study.close()
  })

  it('counts the trials on all klines of the same market that share time, each once on however many data', () => {
    const study = new StudyFile(file())
    const add = (key: string, value: number, changes: Partial<StudyTrial>) =>
      study.addTrial(trialWith(key, { dailyReturns: Float64Array.of(value), ...changes }))
    const returns = (changes: Partial<TrialIdentity> = {}) =>
      Array.from(study.recordsBeside({ ...identity, ...changes }), ({ dailyReturns: [one] }) => one)
    add('a', 1, { data: 'd1', to: 2001 }) // one kline more
    expect(returns()).toEqual([1])
    add('b', 2, {}) // the same trial on the data itself
    expect(returns()).toEqual([2])
    expect(returns({ data: 'd1', to: 2001 })).toEqual([1])
    expect(returns({ data: 'd2', from: 1900, to: 2100 })).toEqual([1]) // what shares most: 101 of 100
    add('c', 3, { data: 'd3', from: 1999, to: 9000, parameters: { fast: 3 } })
    add('d', 4, { data: 'd4', from: 2000, to: 3000, parameters: { fast: 4 } }) // begins where the data ends
    add('e', 5, { data: 'd5', from: 0, to: 1000, parameters: { fast: 5 } }) // ends where they begin
    for (const changes of [
      { symbol: 'ETH/USDT' },
      { interval: '1d' },
      { strategy: 'other' },
      { isSpan: true },
    ])
      add(JSON.stringify(changes), 6, { parameters: { fast: 6 }, ...changes })
    expect(returns()).toEqual([2, 3])
    // Other code on other data, told apart: its returns are its own. On the same data as the first it had the same, so it is that one.
    add('f', 7, { code: 'c1', data: 'd1', to: 2001 })
    expect(returns()).toEqual([2, 7, 3])
    add('g', 2, { code: 'c1' })
    expect(returns()).toEqual([2, 3])
    study.close()
  })

  it('counts beside a part of the data both kinds of trials, and beside all klines only those on all klines', () => {
    const study = new StudyFile(file())
    const add = (key: string, value: number, changes: Partial<StudyTrial>) =>
      study.addTrial(trialWith(key, { dailyReturns: Float64Array.of(value), ...changes }))
    const returns = (changes: Partial<TrialIdentity>) =>
      Array.from(study.recordsBeside({ ...identity, ...changes }), ({ dailyReturns: [one] }) => one)
    const lastWindow = { isSpan: true, from: 1900 }
    add('a', 1, { parameters: { fast: 1 } })
    add('b', 2, { parameters: { fast: 2 } })
    add('c', 3, { parameters: { fast: 2 }, config: 'f1', ...lastWindow }) // the second one, flat at the end of the window
    add('d', 4, { parameters: { fast: 4 }, isSpan: true, to: 1900 }) // ends where the window begins
    expect(returns(lastWindow)).toEqual([1, 3])
    expect(returns({})).toEqual([1, 2])
    study.close()
  })

  it('knows the latest search, and the numbers at which a trial was asked for', () => {
    const study = new StudyFile(file())
    const search = (id: string) => ({ ...identity, id, definition: { seed: 7, id } })
    expect(study.latestSearch(identity)).toBeUndefined()
    study.addSearch(search('second'))
    study.addSearch(search('first'))
    study.addSearch(search('second'))
    expect(study.latestSearch(identity)).toEqual(search('first'))
    study.addAsked('first', 12, 'a')
    study.addAsked('second', 3, 'a')
    expect(study.askedFor('a')).toEqual([
      { search: 'first', number: 12, definition: { seed: 7, id: 'first' } },
      { search: 'second', number: 3, definition: { seed: 7, id: 'second' } },
    ])
    study.close()
  })

  it('gives the returns of trials in order of parameters, configuration and bytes, whatever order they were kept in', () => {
    const first = (study: StudyFile) =>
      Array.from(study.recordsBeside(identity), ({ dailyReturns: [one] }) => one)
    const study = new StudyFile(file())
    study.addTrial(trialWith('a', { parameters: { fast: 9 }, dailyReturns: Float64Array.of(4) }))
    // Little-endian, 1 is 00 … f0 3f and 2 is 00 … 00 40.
    study.addTrial(trialWith('b', { code: 'c1', config: 'f1', dailyReturns: Float64Array.of(1) }))
    study.addTrial(trialWith('c', { code: 'c2', config: 'f1', dailyReturns: Float64Array.of(2) }))
    study.addTrial(trialWith('d', { code: 'c3', config: 'f1', dailyReturns: Float64Array.of(1) }))
    study.addTrial(trialWith('e', { dailyReturns: Float64Array.of(3) }))
    // Of the parameters, as JSON, those with 2 come before those with 9, and of configurations f0 before f1.
    expect(first(study)).toEqual([3, 2, 1, 4])
    study.close()
  })

  it('finds the best trials by Sharpe ratio, without a ratio last, and equal ones in order of key', () => {
    const study = new StudyFile(file())
    const sharpes = { a: -1, b: null, c: 10, d: 9, e: 10 }
    for (const [key, sharpe] of Object.entries(sharpes))
      study.addTrial(trialWith(key, { figures: { sharpe } }))
    study.addTrial(trialWith('f', { figures: { sharpe: 99 }, data: 'd1' }))
    const keys = (count: number) => study.bestOf(identity, count).map(({ key }) => key)
    expect([keys(3), keys(9)]).toEqual([
      ['c', 'e', 'd'],
      ['c', 'e', 'd', 'a', 'b'],
    ])
    study.close()
  })

  it('looks up the searches of a trial by an index, also in a file from before there was one', () => {
    const path = file()
    new StudyFile(path).close()
    const older = new DatabaseSync(path)
    older.exec('DROP INDEX askedForTrial')
    older.close()
    new StudyFile(path).close()
    const raw = new DatabaseSync(path)
    const plan = raw.prepare('EXPLAIN QUERY PLAN SELECT search, number FROM asked WHERE key = ?').all('a')
    expect(plan.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH asked USING .*INDEX askedForTrial/),
    ])
    raw.close()
  })

  it('keeps the latest verdict on each question with its page', () => {
    const study = new StudyFile(file())
    const verdict = { ...identity, id: 'v0', answer: 'undecided' }
    study.addVerdict(verdict, '<p>first</p>')
    study.addVerdict({ ...verdict, id: 'v1', answer: 'no edge' }, '<p>other</p>')
    study.addVerdict({ ...verdict, answer: 'edge' }, '<p>second</p>')
    expect(study.verdicts()).toEqual([
      { ...identity, id: 'v1', answer: 'no edge' },
      { ...identity, id: 'v0', answer: 'edge' },
    ])
    expect([study.verdictPage('v0'), study.verdictPage('v1')]).toEqual(['<p>second</p>', '<p>other</p>'])
    expect(study.verdictPage('v2')).toBeUndefined()
    study.close()
  })

  it('is read without a write, also one from before there were verdicts, and while another writes', () => {
    const path = file()
    const writing = new StudyFile(path)
    writing.addTrial(trialWith('a'))
    const older = new DatabaseSync(path)
    older.exec('DROP TABLE verdicts')
    const before = older.prepare('PRAGMA data_version').get()
    const read = new StudyFile(path, { readOnly: true })
    expect([read.groups().length, read.verdicts(), read.verdictPage('v0')]).toEqual([1, [], undefined])
    expect(() => read.addTrial(trialWith('b'))).toThrow('readonly')
    expect(older.prepare('PRAGMA data_version').get()).toEqual(before)
    writing.addTrial(trialWith('c'))
    expect([...read.trialsOf(identity)]).toHaveLength(2)
    for (const one of [read, older, writing]) one.close()
    expect(() => new StudyFile(`${path}.none`, { readOnly: true })).toThrow('cannot be used as a study file')
  })

  it('takes the writes of two that have it open', () => {
    const path = file()
    const [one, other] = [new StudyFile(path), new StudyFile(path)]
    for (let at = 0; at < 20; at++) (at % 2 === 0 ? one : other).addTrial(trialWith(`${at}`))
    expect([...one.trialsOf(identity)]).toHaveLength(20)
    one.close()
    other.close()
  })

  it('refuses other files with a sentence', () => {
    const path = file()
    new StudyFile(path).close()
    const text = `${path}.txt`
    writeFileSync(text, 'Not a database, but a text that is long enough to be none. '.repeat(20))
    expect(() => new StudyFile(text)).toThrow(
      `${text} cannot be used as a study file (file is not a database); give another one with --study`,
    )
    const other = new DatabaseSync(`${path}.other`)
    other.exec('CREATE TABLE notes (text TEXT)')
    other.close()
    expect(() => new StudyFile(`${path}.other`)).toThrow('(it has tables of another program)')
    const newer = new DatabaseSync(path)
    newer.exec('PRAGMA user_version = 9')
    newer.close()
    expect(() => new StudyFile(path)).toThrow(
      `${path} is a study of version 9, and this Sluice reads version 1;`,
    )
  })
})
