import type { Severity } from '../../config/notices-field.ts'

/** Severity and title of a kind of notice, and a sentence that a test of the channels sends. */
interface NoticeTerms {
  readonly severity: Severity
  readonly title: string
  readonly sample: string
}

/** Every kind of notice. To add one, add a line, and give its notices to `Notices.take`. */
export const NOTICE_KINDS = {
  started: { severity: 'info', title: 'Started', sample: 'The bot trades.' },
  restarted: {
    severity: 'warning',
    title: 'Restarted after a crash',
    sample: 'The bot trades again; it had ended without a shutdown.',
  },
  startFailed: { severity: 'critical', title: 'Start failed', sample: 'The bot could not start.' },
  stopped: { severity: 'info', title: 'Stopped', sample: 'The bot has ended. Nothing is held.' },
  failed: { severity: 'critical', title: 'Failed', sample: 'The bot cannot trade on, and stops.' },
  fill: { severity: 'info', title: 'Fill', sample: 'BTC/USDT fill: BUY 0.1 BTC at 60,000.0' },
  roundTrip: {
    severity: 'info',
    title: 'Round trip closed',
    sample: 'BTC/USDT round trip closed by take-profit: +12.00 USDT (+0.20%)',
  },
  orderDenied: {
    severity: 'warning',
    title: 'Order denied',
    sample: 'BTC/USDT order denied by a risk check (maximum notional).',
  },
  orderRejected: {
    severity: 'warning',
    title: 'Order rejected',
    sample: 'BTC/USDT order rejected by the exchange.',
  },
  orderUnknown: {
    severity: 'critical',
    title: 'Order unknown',
    sample: 'An order of BTC/USDT got no answer, and the exchange does not say what became of it.',
  },
  groupOverfilled: {
    severity: 'warning',
    title: 'Two entries filled',
    sample: 'BTC/USDT: two entries of one OCO group filled; both are kept.',
  },
  unprotected: {
    severity: 'critical',
    title: 'Position not protected',
    sample: 'BTC/USDT IS NOT PROTECTED: its stop-loss is not known to rest.',
  },
  liquidated: {
    severity: 'critical',
    title: 'Position liquidated',
    sample: 'E-BTC-USDT LIQUIDATED by the exchange.',
  },
  accountEmpty: {
    severity: 'critical',
    title: 'Account empty',
    sample: 'The account has nothing left: no position and no balance.',
  },
  closedOutside: {
    severity: 'critical',
    title: 'Closed outside the bot',
    sample: 'BTC/USDT (LONG 0.1 BTC) was sold outside the bot.',
  },
  trading: { severity: 'warning', title: 'Trading held back', sample: 'Trading of the account is reducing.' },
  command: {
    severity: 'warning',
    title: 'Operator command',
    sample: 'pause, by you at the terminal: done.',
  },
  strategyFailed: {
    severity: 'critical',
    title: 'Strategy stopped',
    sample: 'BTC/USDT strategy threw and decides nothing more.',
  },
  strategyEnded: { severity: 'warning', title: 'Strategy ended', sample: 'BTC/USDT strategy has ended.' },
  instrumentHalted: {
    severity: 'critical',
    title: 'Instrument halted',
    sample: 'BTC/USDT halted, nothing more is decided on it.',
  },
  accountDiffers: {
    severity: 'warning',
    title: 'Account and books differ',
    sample: 'The account holds something else than the books of the bot.',
  },
  liveDiffers: {
    severity: 'warning',
    title: 'Live differs from the backtest',
    sample:
      'Live differs from the backtest by -12.00 USDT, more than 0.10% of the 9,000.00 USDT that live turned over.',
  },
  exchangeAway: {
    severity: 'critical',
    title: 'Exchange away',
    sample: 'Calls to the exchange have failed for 30 s.',
  },
  feedStale: { severity: 'warning', title: 'Market data stale', sample: 'Nothing new of BTC/USDT for 30 s.' },
  clockUncertain: {
    severity: 'warning',
    title: 'Clock uncertain',
    sample: "The exchange's time is only known to 1,500 ms.",
  },
  dailyResult: {
    severity: 'info',
    title: 'Daily result',
    sample: 'Equity 10,012.00 USDT, +12.00 USDT today.',
  },
  heldBack: {
    severity: 'info',
    title: 'During the quiet hours',
    sample: '2 notices came during the quiet hours.',
  },
  dropped: {
    severity: 'warning',
    title: 'Notices dropped',
    sample: 'More notices waited than the queue holds; 3 were dropped.',
  },
  stranger: {
    severity: 'warning',
    title: 'Stranger at Telegram',
    sample: 'A Telegram user who is not listed sent a command; it was ignored.',
  },
  interrupted: {
    severity: 'critical',
    title: 'Command interrupted',
    sample: 'The bot ended while it carried out a Telegram command; it is not repeated.',
  },
} as const satisfies Readonly<Record<string, NoticeTerms>>

/** A kind of notice. */
export type NoticeKind = keyof typeof NOTICE_KINDS

/** A message to the people who own a bot. */
export interface BotNotice {
  readonly kind: NoticeKind
  readonly severity: Severity
  /** Notices of one key are about the same matter, and are sent once in a while only. */
  readonly key: string
  /** Whole sentences for people. */
  readonly sentence: string
  /** Figures as exact text, by name. */
  readonly figures: Readonly<Record<string, string>>
  readonly strategy?: string
  readonly symbol?: string
  /** ms UTC of the venue. */
  readonly time: number
  /** `raised`: a condition that lasts; `resolved`: it is over. Absent of a single event. */
  readonly state?: 'raised' | 'resolved'
}

/** A notice before the terms of its kind are filled in; `key` is the kind by default. */
export type GivenNotice = Pick<BotNotice, 'kind' | 'sentence' | 'time'> & Partial<BotNotice>

/** A notice with the severity of its kind, where none is given. */
export function botNotice(given: GivenNotice): BotNotice {
  return { severity: NOTICE_KINDS[given.kind].severity, key: given.kind, figures: {}, ...given }
}

/** `RESOLVED Exchange away`. */
export function noticeTitle({ kind, state }: BotNotice): string {
  const { title } = NOTICE_KINDS[kind]
  return state === 'resolved' ? `RESOLVED ${title}` : title
}

/** A notice as plain text: severity and title with the name of the bot, and its sentence below. */
export function noticeText(bot: string, notice: BotNotice): string {
  const level =
    notice.severity === 'info' || notice.state === 'resolved' ? '' : `${notice.severity.toUpperCase()} `
  return `${level}${noticeTitle(notice)} · ${bot}\n${notice.sentence}`
}
