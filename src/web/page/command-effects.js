/** @import { Answer } from './server-calls.js' */
import { exactMoney, holdingText, timeText } from './figures.js'

/** How strict each command of an operator is; the others change no hold. */
const STRICTNESS = { pause: 1, reduce: 2, halt: 3, kill: 3 }
const STATES = ['', 'paused', 'reducing', 'halted']

/** Clocks closer than this run alike: a measured second is not exact. */
const ALIKE = 0.1

/**
 * What a command comes to as trading is now, in a sentence; empty where it does just what it says.
 * @param {string} command
 * @param {string} symbol empty for the whole bot
 * @param {Answer} status
 */
export function effectText(command, symbol, { trading, held }) {
  const scope = symbol === '' ? 'account' : symbol
  const holds = trading.find((/** @type {Answer} */ one) => one.scope === scope)?.holds ?? []
  const before = strictnessOf(holds.find((/** @type {Answer} */ { source }) => source === 'operator'))
  const asked = STRICTNESS[/** @type {keyof typeof STRICTNESS} */ (command)] ?? 0
  const isHeld = held.some((/** @type {Answer} */ one) => symbol === '' || one.symbol === symbol)
  const state = STATES[before]
  if (command === 'resume')
    return holds.length === 0
      ? `Nothing holds trading of the ${nameOf(symbol)} back: this changes nothing.`
      : ''
  if (before === 0) return ''
  if (command === 'flatten') return `It is ${state} and stays so: nothing is entered again until resumed.`
  if (command === 'kill' && before === 3)
    return isHeld
      ? 'It is halted already: this closes what is held, and it stays halted.'
      : 'It is halted already and holds nothing: this cancels what entries are left, and it stays halted.'
  if (asked < before)
    return `It is ${state} already, which is stricter: this changes nothing. Resume it first to ${command} it.`
  if (asked > before) return ''
  return command === 'pause'
    ? 'It is paused already: this sets a new end.'
    : `It is ${state} already: this changes nothing, and the reason of then stays.`
}

/**
 * What a command that closes would close, in a sentence.
 * @param {string} symbol empty for the whole bot
 * @param {Answer} status
 */
export function heldText(symbol, { held }) {
  const closed = heldOf(symbol, held)
  return closed.length === 0 ? 'Nothing is held.' : `Held: ${closed.map(positionText).join('; ')}.`
}

/**
 * Which positions a command that closes would close, in one text to compare: another one means that something else is held.
 * @param {string} symbol empty for the whole bot
 * @param {Answer} status
 */
export function heldKey(symbol, { held }) {
  return heldOf(symbol, held).map(positionKey).join('\n') || 'nothing'
}

/**
 * What a command closes that its form has not shown, in a sentence that begins with a space; empty where it has shown all.
 * @param {string} symbol empty for the whole bot
 * @param {Answer | undefined} seen the status that the form has shown
 * @param {Answer} before the status right before the command
 */
export function unseenText(symbol, seen, before) {
  const shown = new Set(heldOf(symbol, seen?.held ?? []).map(positionKey))
  const unseen = heldOf(symbol, before.held).filter(
    (/** @type {Answer} */ one) => !shown.has(positionKey(one)),
  )
  if (unseen.length === 0) return ''
  return ` Held only since the form was read, and closed with the rest: ${unseen.map(positionText).join('; ')}.`
}

/**
 * @param {string} symbol empty for the whole bot
 * @param {readonly Answer[]} held
 * @returns {readonly Answer[]}
 */
function heldOf(symbol, held) {
  return held.filter(one => symbol === '' || one.symbol === symbol)
}

/** @param {Answer} position */
function positionKey({ book, direction, quantity }) {
  return `${book} ${direction} ${quantity}`
}

/** @param {Answer} position */
function positionText(position) {
  const { book, direction, unrealised, quote } = position
  const result =
    unrealised === undefined
      ? ''
      : `, ${Number(unrealised) > 0 ? '+' : ''}${exactMoney(unrealised, quote)} ${quote}`
  return `${book} ${direction} ${holdingText(position)}${result}`
}

/** @param {string} symbol */
function nameOf(symbol) {
  return symbol === '' ? 'account' : `instrument ${symbol}`
}

/** @param {Answer | undefined} hold of the operator */
function strictnessOf(hold) {
  if (hold === undefined) return 0
  if (hold.mode === 'halted') return STRICTNESS.halt
  return hold.until === undefined ? STRICTNESS.reduce : STRICTNESS.pause
}

/**
 * When a pause ends: by the exchange's clock, and where that runs at another speed how long it lasts here.
 * @param {number} minutes
 * @param {{ readonly time: number, readonly speed: number }} clock of the exchange: ms UTC, and its seconds per second here
 */
export function pauseText(minutes, { time, speed }) {
  return `Counted by the exchange’s clock: until ${timeText(time + minutes * 60_000)}${hereText(minutes, speed)}.`
}

/**
 * How long minutes of the exchange last here; empty where its clock runs like this one, or where its speed is not known.
 * @param {number} minutes
 * @param {number} speed
 */
export function hereText(minutes, speed) {
  if (speed <= 0 || Math.abs(speed - 1) < ALIKE) return ''
  const seconds = Math.round((minutes * 60) / speed)
  if (seconds < 90) return `, in about ${seconds} s here`
  return `, in about ${Math.round(seconds / 60)} minutes here`
}
