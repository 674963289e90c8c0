import { useState } from 'react'
import { LightButton } from '../../ui/form/light-button.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { AccountLabel } from './account-label.tsx'
import { getMyName, useMe } from './session.tsx'

const AccountMenu = lazyDialog<{ close: () => void }>(
  'AccountMenu',
  async () => (await import('./account-menu.tsx')).AccountMenu,
)

/** Name of the logged-in user. A click opens the account menu. */
export function AccountButton() {
  const name = getMyName(useMe())
  const [isWanted, setWanted] = useState(false)
  const button = (
    <LightButton aria-haspopup="menu" aria-expanded={false} onClick={() => setWanted(true)}>
      <AccountLabel name={name} />
    </LightButton>
  )
  return isWanted ? <AccountMenu fallback={button} close={() => setWanted(false)} /> : button
}
