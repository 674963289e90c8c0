import { useSyncExternalStore } from 'react'
import { useChangeConfirmation } from '../managed/use-change-confirmation.ts'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { Frame } from './frame.tsx'
import { KeyboardShortcuts } from './keyboard-shortcuts.tsx'
import { LiveEvents } from './live/live-events.tsx'
import { PALETTE } from './overlays.ts'

const Palette = lazyDialog('Palette', async () => (await import('../palette/palette.tsx')).Palette)

/** Page frame with all features that are available on every page. The palette is loaded on first use. */
export function Shell() {
  useChangeConfirmation()
  const isWanted = useSyncExternalStore(PALETTE.subscribe, PALETTE.isOpen)
  return (
    <>
      <Frame />
      <KeyboardShortcuts />
      <LiveEvents />
      {isWanted && <Palette close={() => PALETTE.show(false)} />}
    </>
  )
}
