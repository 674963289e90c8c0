import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import { usePart } from '../ui/loading/use-part.ts'

const loadMessages = async () => (await import('../ui/messages/messages.tsx')).Messages

/** What no first view needs: it comes when the page has nothing else to do. */
export function IdleMessages() {
  const { Part: Messages } = usePart(loadMessages, useIdleOnce())
  return Messages && <Messages />
}
