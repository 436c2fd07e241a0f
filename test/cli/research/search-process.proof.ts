import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sluice, startSluice } from '../sluice-process.ts'
import {
  apart,
  contentOf,
  SEARCH,
  SEARCHED_STRATEGY as SMA,
  type Studied,
  studied,
  trialsIn,
  withoutStudyNames,
} from './studied.ts'

async function optimized({ inputs }: Studied, ...options: readonly string[]) {
  const { exitCode, out, err } = await sluice('optimize', SMA, ...inputs, '--json', '-', ...options)
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
  return withoutStudyNames(out)
}

describe('a search', () => {
  it('gives the same bytes on 1, 2 and 4 threads', async () => {
    const world = studied(4000)
    const onThreads = (jobs: number) => ({ ...apart(world, `${jobs}`), jobs })
    const alone = onThreads(1)
    const out = await optimized(alone, ...SEARCH, '--jobs', '1')
    expect(JSON.parse(out).trials).toHaveLength(60)
    for (const other of [onThreads(2), onThreads(4)]) {
      expect(await optimized(other, ...SEARCH, '--jobs', `${other.jobs}`)).toBe(out)
      expect(contentOf(other)).toEqual(contentOf(alone))
    }
  })

  it('that is killed at any moment goes on, and ends as if it had not been', async () => {
    const world = studied(4000)
    const whole = apart(world, 'whole')
    const out = await optimized(whole, ...SEARCH, '--jobs', '2')
    let before = 0
    for (const least of [1, 18, 37, 55]) {
      const child = startSluice(
        'optimize',
        SMA,
        ...world.inputs,
        '--jobs',
        '2',
        ...(before === 0 ? SEARCH : ['--resume']),
      )
      const ended = once(child, 'exit')
      while (trialsIn(world.study).length < least && child.exitCode === null) await setTimeout(5)
      child.kill('SIGKILL')
      await ended
      const kept = trialsIn(world.study).length
      // Nothing that was kept is ever lost.
      expect(kept).toBeGreaterThanOrEqual(Math.max(before, least))
      before = kept
    }
    expect(await optimized(world, ...SEARCH, '--jobs', '2')).toBe(out)
    expect(contentOf(world)).toEqual(contentOf(whole))
  })

  it('that Ctrl-C ends says how it goes on', async () => {
    const world = studied(8000)
    const child = startSluice('optimize', SMA, ...world.inputs, '--jobs', '2', ...SEARCH, '--trials', '2000')
    let err = ''
    child.stderr.on('data', text => {
      err += text
    })
    while (trialsIn(world.study).length < 3) await setTimeout(10)
    child.kill('SIGINT')
    const [exitCode] = await once(child, 'exit')
    expect(exitCode).toBe(130)
    expect(err).toContain(
      `Interrupted: trials that had finished, if any, are in ${world.study}; the same command, or --resume, goes on.`,
    )
    expect(trialsIn(world.study).length).toBeGreaterThanOrEqual(3)
  })

  it.each(['walk-forward', 'validate'])('of %s that Ctrl-C ends says how it goes on', async command => {
    const world = studied(8000)
    const child = startSluice(command, SMA, ...world.inputs, ...SEARCH, '--trials', '2000')
    let err = ''
    child.stderr.on('data', text => {
      err += text
    })
    while (trialsIn(world.study).length < 3 && child.exitCode === null) await setTimeout(10)
    child.kill('SIGINT')
    const [exitCode] = await once(child, 'exit')
    expect(exitCode).toBe(130)
    expect(err).toContain(
      `Interrupted: trials that had finished, if any, are in ${world.study}; the same command goes on.`,
    )
  })
})
