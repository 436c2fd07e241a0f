import { effectText, heldKey, heldText, hereText, pauseText, unseenText } from './command-effects.js'
import { element, elementById } from './elements.js'
import { timeText } from './figures.js'
import { read, ServerRefusal, send } from './server-calls.js'

/** @import { Answer } from './server-calls.js' */

/** What each command does, in the words of its button. */
const COMMANDS = {
  pause: 'Open nothing for a while; what is held may be closed.',
  reduce: 'Open nothing until resumed; what is held may be closed.',
  halt: 'Send nothing until resumed, but what protects a position.',
  flatten: 'Cancel entries and close what is held; strategies go on.',
  kill: 'Cancel entries, close what is held, and halt, also after a restart.',
  resume:
    'Trade on: lifts pause, reduce, halt, kill, and what protections hold; what was closed stays closed.',
}
const CLOSING = ['flatten', 'kill']
/** Between two readings of what is held and of the exchange's clock, ms. */
const READ_EVERY_MS = 1000

/**
 * Buttons of all commands.
 * @param {string} bot
 * @param {(message: string) => void} onAnswer
 */
export function commandButtons(bot, onAnswer) {
  return element(
    'dl',
    { class: 'commands' },
    ...Object.entries(COMMANDS).flatMap(([command, text]) => [
      element(
        'dt',
        {},
        element(
          'button',
          {
            type: 'button',
            class: command === 'resume' ? undefined : 'stop',
            onclick: () => askFor(command, bot, onAnswer),
          },
          command,
        ),
      ),
      element('dd', {}, text),
    ]),
  )
}

/**
 * Asks for the reason of a command, and where it closes positions for the name of the bot.
 * @param {string} first the command that is chosen at first
 * @param {string} bot
 * @param {(message: string) => void} onAnswer
 */
export function askFor(first, bot, onAnswer) {
  const dialog = /** @type {HTMLDialogElement} */ (elementById('dialog'))
  const command = field(
    'select',
    'command',
    Object.keys(COMMANDS).map(name => element('option', { value: name, selected: name === first }, name)),
  )
  const minutes = field('input', 'minutes', [], { type: 'number', min: 1, max: 10080, value: 30 })
  const symbol = field('select', 'symbol', [element('option', { value: '' }, 'the whole bot')])
  const reason = field('input', 'reason', [], { required: true, maxlength: 500 })
  const confirm = field('input', 'confirm', [], { autocomplete: 'off' })
  const problem = element('p', { class: 'loss', role: 'alert' })
  const what = element('p', { class: 'hint' })
  const effect = element('p', { class: 'hint', 'aria-live': 'polite' })
  const held = element('p', { 'aria-live': 'polite' })
  const until = element('p', { class: 'hint' })
  const stale = element('p', { class: 'loss', role: 'alert' })
  /** @type {Situation | undefined} */
  let now
  const rows = {
    minutes: row('Minutes', minutes, 'minutes'),
    confirm: row(`Type the name of the bot, ${bot}, to confirm`, confirm, 'confirm'),
  }
  let announced = ''
  /** Says it aloud where something else is held, and not at each change of its result. */
  const sayHeld = (/** @type {Answer | undefined} */ status) => {
    const key = status === undefined ? '' : heldKey(symbol.value, status)
    held.setAttribute('aria-live', key === announced ? 'off' : 'polite')
    announced = key
    held.textContent = status === undefined ? '' : heldText(symbol.value, status)
  }
  const adapt = () => {
    what.textContent = COMMANDS[/** @type {keyof typeof COMMANDS} */ (command.value)]
    rows.minutes.hidden = command.value !== 'pause'
    rows.confirm.hidden = !CLOSING.includes(command.value)
    effect.textContent = now === undefined ? '' : effectText(command.value, symbol.value, now.status)
    sayHeld(now === undefined || !CLOSING.includes(command.value) ? undefined : now.status)
    until.textContent =
      now === undefined || command.value !== 'pause' ? '' : pauseText(Number(minutes.value), now)
  }
  for (const input of [command, symbol, minutes]) input.addEventListener('input', adapt)
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault()
    const seen = now?.status
    try {
      // What the form has not shown yet is closed as well: the answer says so.
      const before = CLOSING.includes(command.value)
        ? await read('/api/views/overview').catch(() => undefined)
        : undefined
      const answer = await send('/api/commands', {
        command: command.value,
        reason: reason.value,
        ...(command.value === 'pause' && { forMs: Number(minutes.value) * 60_000 }),
        ...(symbol.value !== '' && { symbol: symbol.value }),
        ...(CLOSING.includes(command.value) && { confirm: confirm.value }),
      })
      const here =
        command.value === 'pause' && answer.ok ? hereText(Number(minutes.value), now?.speed ?? 1) : ''
      const unseen = answer.ok && before !== undefined ? unseenText(symbol.value, seen, before.status) : ''
      onAnswer(`${answer.message}${here === '' ? '' : ` The pause ends ${here.slice(2)}.`}${unseen}`)
      if (answer.ok) dialog.close()
      else problem.textContent = answer.message
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error)
    }
  }
  const form = element(
    'form',
    { onsubmit: submit },
    element('h2', { id: 'dialog-title' }, `Command ${bot}`),
    row('Command', command, 'command'),
    what,
    held,
    stale,
    effect,
    rows.minutes,
    until,
    row('Instrument', symbol, 'symbol'),
    row('Reason', reason, 'reason'),
    rows.confirm,
    problem,
    element(
      'p',
      { class: 'buttons' },
      element('button', { type: 'submit', class: 'stop' }, 'Do it'),
      ' ',
      element('button', { type: 'button', onclick: () => dialog.close() }, 'Not now'),
    ),
  )
  dialog.replaceChildren(form)
  adapt()
  dialog.showModal()
  reason.focus()
  void follow(
    () => dialog.open && form.isConnected,
    found => {
      stale.textContent =
        found === undefined
          ? `The bot does not answer: ${now === undefined ? 'what is held is not known' : `what stands here is of ${timeText(now.time)}`}.`
          : ''
      if (found === undefined) return
      if (now === undefined) addSymbols(symbol, found.status)
      now = found
      adapt()
    },
  )
}

/**
 * The status, the exchange's time in ms UTC, and its speed.
 * @typedef {{ readonly status: Answer, readonly time: number, readonly speed: number }} Situation
 */

/**
 * Reads how the bot is as long as it is wanted, and how fast the clock of its exchange runs.
 * @param {() => boolean} isWanted
 * @param {(now: Situation | undefined) => void} onRead `undefined` while nothing answers
 */
async function follow(isWanted, onRead) {
  /** @type {{ readonly time: number, readonly at: number } | undefined} */
  let first
  while (isWanted()) {
    const found = await read('/api/views/overview').catch(error => {
      // Nobody is logged in any more.
      if (error instanceof ServerRefusal && error.status === 401) throw error
    })
    if (!isWanted()) return
    if (found === undefined) onRead(undefined)
    else {
      const { status, time } = found
      const at = performance.now()
      const speed = first === undefined ? 1 : (time - first.time) / (at - first.at)
      first ??= { time, at }
      onRead({ status, time, speed })
    }
    await new Promise(resolve => setTimeout(resolve, READ_EVERY_MS))
  }
}

/**
 * Adds every instrument of the bot.
 * @param {HTMLElement} select
 * @param {Answer} status
 */
function addSymbols(select, status) {
  const symbols = new Set(
    status.strategies.map((/** @type {{ readonly symbol: string }} */ one) => one.symbol),
  )
  select.append(...[...symbols].map(symbol => element('option', { value: symbol }, symbol)))
}

/**
 * @param {string} tag
 * @param {string} id
 * @param {readonly Node[]} children
 * @param {Record<string, unknown>} [attributes]
 */
function field(tag, id, children, attributes = {}) {
  return /** @type {HTMLInputElement} */ (element(tag, { id: `command-${id}`, ...attributes }, ...children))
}

/**
 * @param {string} text
 * @param {Node} input
 * @param {string} id
 */
function row(text, input, id) {
  return element('p', { class: 'row' }, element('label', { for: `command-${id}` }, text), input)
}
