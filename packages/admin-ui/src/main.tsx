import './early-reads.ts'
import './ui/style/components.css'
import '@mantine/notifications/styles.layer.css'
import './ui/style/global.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startFirstReads } from './first-reads.ts'
import { queries } from './query-client.ts'
import { router } from './router.tsx'
import { IdleMessages } from './shell/idle-messages.tsx'
import { loadFirstTexts, TextsProvider } from './text/texts.tsx'
import { theme } from './ui/style/theme.ts'
import { followContrast } from './ui/style/theme-contrast.ts'

followContrast()
startFirstReads(queries, router.latestLocation)
const first = await loadFirstTexts()
const place = document.getElementById('root')
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      {/*
       * The content security policy forbids style elements. The variables and classes that these styles would define
       * are in ui/style/global.css.
       */}
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={queries}>
          <TextsProvider first={first}>
            <RouterProvider router={router} />
            <IdleMessages />
          </TextsProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
