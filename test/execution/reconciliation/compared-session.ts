import { Reconciler } from '../../../src/execution/reconciliation/reconciler.ts'
import type { ReconcilerOptions } from '../../../src/execution/reconciliation/reconciler-options.ts'
import type { ReconciliationReport } from '../../../src/execution/reconciliation/reconciliation-report.ts'
import { type SentRequest, SentRequests } from '../../../src/execution/sent-requests.ts'
import { ExecutionSession } from '../execution-session.ts'

/** A session whose ledger is compared with its exchange. */
export class ComparedSession extends ExecutionSession {
  readonly reports: ReconciliationReport[] = []
  readonly unbookable: unknown[] = []
  readonly sentRequests = new SentRequests()

  override noteDeparture(sentRequest: SentRequest): void {
    super.noteDeparture(sentRequest)
    this.sentRequests.add(sentRequest)
  }

  /** What compares; `differs` is what a kind of account has of its own. */
  reconcilerWith(
    differs: Pick<ReconcilerOptions, 'trading' | 'account'> & Partial<ReconcilerOptions>,
  ): Reconciler {
    return new Reconciler({
      instruments: new Map([[this.instrument.symbol, this.instrument]]),
      ownPrefixes: ['own-'],
      settlementMarginMs: 3000,
      foreignOrders: 'leave',
      ledger: this.ledger,
      sentRequests: this.sentRequests,
      tracker: this.executor.tracker,
      serverNow: () => this.clock.now(),
      emit: event => {
        this.book(event)
        if (event.type === 'balancesReported' && event.trade !== undefined)
          this.sentRequests.noteOthersTrade(event.trade)
      },
      onDeparture: sentRequest => void this.noteDeparture(sentRequest),
      onTradesSeen: seen => this.sentRequests.observeTrades(seen),
      onTransactionsSeen: seen => this.sentRequests.observeTransactions(seen),
      onPositionMismatch: symbol => this.executor.holdPosition(symbol),
      closingOf: () => undefined,
      onReport: report => this.reports.push(report),
      onUnbookable: error => this.unbookable.push(error),
      ...differs,
    })
  }

  /** Begins where nothing was seen, and looks so often, while time passes; says how the last look ended. */
  async looksOf(reconciler: Reconciler, looks: number, ms: number): Promise<string> {
    let ended = ''
    void reconciler
      .begin()
      .then(async () => {
        for (let look = 0; look < looks; look++) ended = await reconciler.look()
      })
      .catch((error: unknown) => {
        ended = String(error)
      })
    await this.run(ms)
    return ended
  }
}
