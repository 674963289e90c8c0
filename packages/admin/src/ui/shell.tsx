import { lazy, Suspense, useSyncExternalStore } from 'react'
import { Frame } from './frame.tsx'
import { Keys } from './keys.tsx'
import { PALETTE } from './palette-store.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** The frame with everything that works on every page; the palette comes when it is first asked for. */
export function Shell() {
  const isWanted = useSyncExternalStore(PALETTE.subscribe, () => PALETTE.getState().opened)
  return (
    <>
      <Frame />
      <Keys />
      <Suspense>{isWanted && <Palette />}</Suspense>
    </>
  )
}
