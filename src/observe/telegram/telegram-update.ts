import { z } from 'zod'

const userSchema = z.object({
  id: z.number(),
  first_name: z.string().optional(),
  username: z.string().optional(),
})
const chatSchema = z.object({ id: z.number(), type: z.string() })
const messageSchema = z.object({
  /** Seconds UTC. */
  date: z.number(),
  chat: chatSchema,
  from: userSchema.optional(),
  /** A channel or a group that speaks by itself; such a message counts as nobody's. */
  sender_chat: chatSchema.optional(),
  text: z.string().optional(),
})

/** Updates of the Bot API (core.telegram.org/bots/api#update), as far as commands need them. */
export const updatesSchema = z.array(
  z.object({
    update_id: z.number(),
    message: messageSchema.optional().catch(undefined),
    callback_query: z
      .object({
        id: z.string(),
        from: userSchema,
        data: z.string().optional(),
        message: z.object({ chat: chatSchema }).optional(),
      })
      .optional()
      .catch(undefined),
  }),
)

/** One update. */
export type TelegramUpdate = z.output<typeof updatesSchema>[number]

/** A user of Telegram. */
export type TelegramUser = z.output<typeof userSchema>
