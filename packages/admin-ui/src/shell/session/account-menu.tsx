import { Button, type MantineColorScheme, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { BASE_PATH } from '../../api/http.ts'
import { LANGUAGES, type Language } from '../../text/languages.ts'
import { useLanguage, useTexts } from '../../text/texts.tsx'
import { COLOR_SCHEMES } from '../../ui/style/theme.ts'
import { setHighContrast, useHighContrast } from '../../ui/style/theme-contrast.ts'
import { useColorScheme } from '../../ui/style/use-color-scheme.ts'
import { SHORTCUT_LIST } from '../overlays.ts'
import { AccountLabel } from './account-label.tsx'
import { getMyName, useMe } from './session.tsx'
import { useLogout } from './use-logout.ts'

/**
 * Account menu with theme, language, shortcuts, password and logout. Opens as soon as it is loaded: loading starts when
 * the user wants to open it.
 */
export function AccountMenu() {
  const t = useTexts()
  const me = useMe()
  const navigate = useNavigate()
  return (
    <Menu position="bottom-end" width={220} shadow="md" defaultOpened>
      <Menu.Target>
        <Button variant="default" px="sm">
          <AccountLabel name={getMyName(me)} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Themes />
        <Languages />
        <Menu.Divider />
        <Menu.Item onClick={() => void navigate({ to: '/profile' })}>{t.nav.profile}</Menu.Item>
        <Menu.Item onClick={() => SHORTCUT_LIST.show(true)}>{t.nav.keys}</Menu.Item>
        <Menu.Item onClick={() => void navigate({ to: '/help' })}>{t.nav.help}</Menu.Item>
        <Menu.Item component="a" href={`${BASE_PATH}/docs/openapi`} target="_blank">
          {t.nav.apiDocs}
        </Menu.Item>
        <Menu.Item onClick={() => void navigate({ to: '/password' })}>{t.login.changeOwn}</Menu.Item>
        <LogoutItem />
      </Menu.Dropdown>
    </Menu>
  )
}

function Themes() {
  const t = useTexts()
  const { colorScheme, setColorScheme } = useColorScheme()
  const isHigh = useHighContrast()
  return (
    <>
      <Menu.Label>{t.nav.theme}</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
        {COLOR_SCHEMES.map((scheme) => (
          <Menu.RadioItem key={scheme} value={scheme}>
            {t.nav[scheme]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.CheckboxItem checked={isHigh} onChange={setHighContrast}>
        {t.nav.contrast}
      </Menu.CheckboxItem>
    </>
  )
}

function Languages() {
  const t = useTexts()
  const { language, choose } = useLanguage()
  return (
    <>
      <Menu.Label>{t.nav.language}</Menu.Label>
      <Menu.RadioGroup value={language} onChange={(one) => choose(one as Language)}>
        {Object.entries(LANGUAGES).map(([one, name]) => (
          <Menu.RadioItem key={one} value={one}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}

function LogoutItem() {
  const t = useTexts()
  const logOut = useLogout()
  return <Menu.Item onClick={() => void logOut()}>{t.login.logout}</Menu.Item>
}
