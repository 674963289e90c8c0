import { Frame } from './frame.tsx'
import { Keys } from './keys.tsx'
import { Palette } from './palette.tsx'

/** The frame with everything that works on every page. */
export function Shell() {
  return (
    <>
      <Frame />
      <Keys />
      <Palette />
    </>
  )
}
