import { card, element } from './elements.js'
import { send } from './server-calls.js'

/**
 * Logs in by the token behind `#login=` of the address, and takes it out of the address and the history.
 * @returns {Promise<string | undefined>} a problem, in a sentence
 */
export async function loginByLink() {
  const token = /^#login=([\w-]+)$/.exec(location.hash)?.[1]
  if (token === undefined) return undefined
  history.replaceState(null, '', location.pathname)
  try {
    await send('/api/login', { token })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Asks for the password, or for a new link.
 * @param {string | undefined} problem
 * @param {() => void} onLogin
 */
export function loginScreen(problem, onLogin) {
  const password = /** @type {HTMLInputElement} */ (
    element('input', { id: 'password', type: 'password', autocomplete: 'current-password', required: true })
  )
  const said = element('p', { class: 'loss', role: 'alert' }, problem ?? '')
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault()
    try {
      await send('/api/login', { password: password.value })
      onLogin()
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : String(error)
    }
  }
  return card(
    'Log in',
    element(
      'p',
      {},
      'Open the address that the bot printed within a minute, or let it print a new one: ',
      element('code', {}, 'npm run -s bot -- window'),
    ),
    element(
      'form',
      { onsubmit: submit },
      // Managers of passwords keep them by a name.
      element('input', { type: 'text', autocomplete: 'username', value: 'sluice', hidden: true }),
      element(
        'p',
        { class: 'row' },
        element('label', { for: 'password' }, 'Or give the password'),
        password,
        element('button', { type: 'submit' }, 'Log in'),
      ),
    ),
    said,
  )
}
