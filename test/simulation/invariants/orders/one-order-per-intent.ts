import { ownIds, type Scene, type Violation } from '../scene.ts'

/** No intent has two orders at the exchange, whatever became of them. */
export function oneOrderPerIntent(scene: Scene): readonly Violation[] {
  const seen = new Set<string>()
  return ownIds(scene).flatMap((clientOrderId = '') => {
    if (!seen.has(clientOrderId)) {
      seen.add(clientOrderId)
      return []
    }
    return [{ problem: `two orders have the id ${clientOrderId}`, about: clientOrderId }]
  })
}
