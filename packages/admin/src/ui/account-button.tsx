import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../text/texts.tsx'
import { nameOf, useMe } from './session.tsx'

const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }))

/** Who is logged in; a click brings the menu. */
export function AccountButton() {
  const t = useTexts()
  const name = nameOf(useMe())
  const [isWanted, setWanted] = useState(false)
  const button = (
    <Button
      variant="default"
      aria-label={`${t.nav.account}: ${name}`}
      aria-haspopup="menu"
      aria-expanded={false}
      px="sm"
      onClick={() => setWanted(true)}
    >
      {name}&nbsp;<span aria-hidden="true">▾</span>
    </Button>
  )
  return isWanted ? (
    <Suspense fallback={button}>
      <AccountMenu />
    </Suspense>
  ) : (
    button
  )
}
