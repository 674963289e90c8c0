import { lazy, Suspense } from 'react'
import { useIdleOnce } from './idle.ts'

const Messages = lazy(async () => ({ default: (await import('./messages.tsx')).Messages }))

/** What no first view needs: it comes when the page has nothing else to do. */
export function Later() {
  return <Suspense>{useIdleOnce() && <Messages />}</Suspense>
}
