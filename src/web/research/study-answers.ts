import type { StudyTrial, StudyVerdict, TrialGroup } from '../../studies/study-trial.ts'

/** Trials that are meant: those of a strategy on the same whole data. */
export type NamedStudy = Pick<TrialGroup, 'strategy' | 'data' | 'from' | 'to'>

/** A question to the thread that reads the study file. */
export type StudyQuestion =
  | { readonly type: 'list' }
  | ({ readonly type: 'study' } & NamedStudy)
  | { readonly type: 'verdict'; readonly id: string }

/** Start data of a thread that reads the study file, answers one question, and ends. */
export interface StudyWorkerData {
  readonly path: string
  readonly question: StudyQuestion
}

/** Trials of one strategy on the same whole data, as a list shows them. */
export interface ListedStudy extends Omit<TrialGroup, 'isSpan' | 'codes' | 'configs'> {
  /** Parameters of the best trial by Sharpe ratio; absent where none has one. */
  readonly best?: StudyTrial['parameters']
  /** The latest verdict on them. */
  readonly verdict?: Pick<StudyVerdict, 'id' | 'answer'>
}

/** The studies of a project. */
export interface StudyList {
  readonly type: 'studies'
  /** Of the study file. */
  readonly path: string
  /** Trials that were ever run, on whatever data. */
  readonly trials: number
  /** Trials among them on parts of the data: those of walk-forwards. */
  readonly parts: number
  readonly studies: readonly ListedStudy[]
  /** Further studies that are not listed. */
  readonly more: number
}

/** An answer: a list, the bytes of a page, or a sentence that says why there is none. */
export type StudyAnswer =
  | StudyList
  | { readonly type: 'page'; readonly page: Uint8Array<ArrayBuffer> }
  | { readonly type: 'none'; readonly reason: string }
