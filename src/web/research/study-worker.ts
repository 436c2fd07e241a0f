import { existsSync } from 'node:fs'
import { constants, platform, setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { studyPage } from '../../cli/research/pages/report-study.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { StudyFile } from '../../studies/study-file.ts'
import type { TrialGroup } from '../../studies/study-trial.ts'
import type {
  ListedStudy,
  NamedStudy,
  StudyAnswer,
  StudyList,
  StudyQuestion,
  StudyWorkerData,
} from './study-answers.ts'

// The thread of `StudyReader`.

/** Studies of a list. */
const MOST_STUDIES = 200

const port = parentPort as MessagePort // this is a thread
const { path, question } = workerData as StudyWorkerData // as its starter says

// On Linux a thread has a priority of its own; elsewhere it would be that of the bot.
if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_LOW)

const answer = answered(question)
port.postMessage(answer, answer.type === 'page' ? [answer.page.buffer] : [])

function answered(asked: StudyQuestion): StudyAnswer {
  if (!existsSync(path))
    return {
      type: 'none',
      reason: `There is no study file ${path} yet. A backtest or a search makes it: npm run optimize -- strategies/sma-cross.ts --symbol BTC/USDT --interval 1h`,
    }
  try {
    const study = new StudyFile(path, { readOnly: true })
    try {
      return answerOf(study, asked)
    } finally {
      study.close()
    }
  } catch (error) {
    if (error instanceof UsageError) return { type: 'none', reason: error.message }
    throw error
  }
}

function answerOf(study: StudyFile, asked: StudyQuestion): StudyAnswer {
  if (asked.type === 'list') return listOf(study)
  const page = asked.type === 'verdict' ? study.verdictPage(asked.id) : pageOf(study, asked)
  if (page === undefined)
    return { type: 'none', reason: `${path} has no such ${asked.type}; read the list again.` }
  return { type: 'page', page: new TextEncoder().encode(page) }
}

function pageOf(study: StudyFile, named: NamedStudy): string | undefined {
  const group = study.groups().find(one => !one.isSpan && isSame(one, named))
  return group && studyPage(study, group, path).page
}

function listOf(study: StudyFile): StudyList | StudyAnswer {
  const groups = study.groups()
  if (groups.length === 0)
    return {
      type: 'none',
      reason: `${path} has no trials yet. A backtest or a search keeps some: npm run optimize -- strategies/sma-cross.ts --symbol BTC/USDT --interval 1h`,
    }
  const whole = groups.filter(({ isSpan }) => !isSpan)
  const trials = trialsOf(groups)
  const verdicts = study.verdicts()
  const studies = whole
    .slice(0, MOST_STUDIES)
    .map(({ isSpan: _, codes: __, configs: ___, ...group }): ListedStudy => {
      const [best] = group.bestSharpe === null ? [] : study.bestOf({ ...group, isSpan: false }, 1)
      const verdict = verdicts.findLast(one => isSame(one, group))
      return {
        ...group,
        ...(best && { best: best.parameters }),
        ...(verdict && { verdict: { id: verdict.id, answer: verdict.answer } }),
      }
    })
  return {
    ...{ type: 'studies', path, studies, trials },
    parts: trials - trialsOf(whole),
    more: whole.length - studies.length,
  }
}

function trialsOf(groups: readonly TrialGroup[]): number {
  return groups.reduce((sum, { finished, failed }) => sum + finished + failed, 0)
}

function isSame(one: NamedStudy, other: NamedStudy): boolean {
  return (
    one.strategy === other.strategy &&
    one.data === other.data &&
    one.from === other.from &&
    one.to === other.to
  )
}
