import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './ui/global.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries, router } from './router.tsx'
import { firstTexts, TextsProvider } from './text/texts.tsx'
import { ConfirmProvider } from './ui/confirm.tsx'
import { Later } from './ui/later.tsx'
import { theme } from './ui/theme.ts'
import { followContrast } from './ui/theme-contrast.ts'

followContrast()
const first = await firstTexts()
const place = document.getElementById('root')
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      {/* style elements are not allowed here: their variables and classes are in ui/global.css */}
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={queries}>
          <TextsProvider first={first}>
            <ConfirmProvider>
              <RouterProvider router={router} />
            </ConfirmProvider>
            <Later />
          </TextsProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
