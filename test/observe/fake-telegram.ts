import { fakeHttp, type Reply } from './fake-http.ts'

/** Messages that the bot has sent. */
interface SentMessage {
  readonly chat_id: number
  readonly text: string
  readonly reply_markup?: { readonly inline_keyboard: readonly [readonly [Button, Button]] }
}

interface Button {
  readonly callback_data: string
}

interface Sender {
  readonly user: number
  readonly chat: number
  readonly ageS?: number
  readonly id?: number
  readonly sender_chat?: object
}

/** The Bot API on loopback: updates are given until they are confirmed by an offset, as Telegram does. */
export async function fakeTelegram() {
  const updates: { readonly update_id: number }[] = []
  const answers: SentMessage[] = []
  const failures: Reply[] = []
  let nextId = 100
  let taken = 0
  let replyToMessage: () => Reply = () => ok({})
  const { url, arrived } = await fakeHttp(async ({ path, body }) => {
    const given = JSON.parse(body === '' ? '{}' : body)
    if (path.endsWith('/getMe')) return ok({ id: 1, username: 'Fake_Bot' })
    if (path.endsWith('/getUpdates')) {
      const failure = failures.shift()
      if (failure !== undefined) return failure
      for (let turn = 0; turn < 20; turn++) {
        const waiting = updates.filter(({ update_id }) => update_id >= given.offset)
        if (waiting.length > 0) return ok(waiting)
        await new Promise(resolve => setTimeout(resolve, 10))
      }
      return ok([])
    }
    if (!path.endsWith('/sendMessage')) return ok(true)
    answers.push(given)
    return replyToMessage()
  })
  const chatOf = (chat: number) => ({ id: chat, type: chat < 0 ? 'supergroup' : 'private' })
  return {
    ...{ url, arrived, answers },
    send(text: string, { user, chat, ageS = 0, id = nextId++, sender_chat }: Sender) {
      const date = Math.floor(Date.now() / 1000) - ageS
      const message = { date, text, chat: chatOf(chat), from: { id: user, username: `user${user}` } }
      updates.push({ update_id: id, ...{ message: { ...message, ...(sender_chat && { sender_chat }) } } })
    },
    press(data: string | undefined, { user, chat }: Sender) {
      const query = {
        id: `${nextId}`,
        from: { id: user, username: `user${user}` },
        data,
        message: { chat: chatOf(chat) },
      }
      updates.push({ update_id: nextId++, ...{ callback_query: query } })
    },
    failNext: (...replies: readonly Reply[]) => failures.push(...replies),
    replyToMessages(reply: () => Reply) {
      replyToMessage = reply
    },
    /** The next message that the bot sends; rejects after five seconds without one. */
    async answer(): Promise<SentMessage> {
      for (let turn = 0; turn < 500; turn++) {
        const answer = answers[taken]
        if (answer !== undefined) {
          taken++
          return answer
        }
        await new Promise(resolve => setTimeout(resolve, 10))
      }
      throw new Error('The bot said nothing.')
    },
  }
}

function ok(result: unknown): Reply {
  return { status: 200, body: { ok: true, result } }
}
