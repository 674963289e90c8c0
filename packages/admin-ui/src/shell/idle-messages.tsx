import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import { usePart } from '../ui/loading/use-part.ts'

const loadMessages = async () => (await import('../ui/messages/message-list.tsx')).Messages

/** Messages to the user. The first view does not need messages, so the component is loaded when the page is idle. */
export function IdleMessages() {
  const { Part: Messages } = usePart(loadMessages, useIdleOnce())
  return Messages && <Messages />
}
