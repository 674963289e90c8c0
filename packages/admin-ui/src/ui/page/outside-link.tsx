import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  /** Web address; if undefined, only the content is rendered. */
  readonly url: string | undefined
  readonly children: ReactNode
}

/** Link to a page outside of the admin UI, which opens in a new tab. */
export function OutsideLink({ url, children }: Props) {
  if (url === undefined) return <>{children}</>
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" inherit>
      {children}
    </Anchor>
  )
}
