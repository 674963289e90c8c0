import { useIdleOnce } from './idle.ts'
import { usePart } from './use-part.ts'

const loadMessages = async () => (await import('./messages.tsx')).Messages

/** What no first view needs: it comes when the page has nothing else to do. */
export function Later() {
  const { Part: Messages } = usePart(loadMessages, useIdleOnce())
  return Messages && <Messages />
}
