import { Keyboard, LogOut, Menu, Moon, Search, Sun, UserRound } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Environment } from '../../../access/company.ts'
import { refreshDescription } from '../data/load-session.ts'
import { useNews } from '../data/news.ts'
import { useWaiting, waitingText } from '../mail-inbox/waiting.ts'
import { Icon } from '../parts/icon.tsx'
import { href, inEnvironment, listPath, onServer, pageOf } from '../session/place.ts'
import { isAdmin, session } from '../session/session.ts'
import { chooseTheme, isDark } from '../settings/theme.ts'
import { signOut } from '../sign-in/sign-out.ts'
import { initials } from '../text/format.ts'
import { t } from '../text/texts.ts'
import { WebhookBanner } from '../webhooks/webhook-banner.tsx'
import { AccountNotices } from './account-notices.tsx'
import { useGlobalKeys } from './global-keys.ts'
import { follow } from './live.ts'
import { type Entry, menu } from './main-menu.ts'
import { panel } from './open-panel.ts'
import { Panel } from './panel.tsx'

/** The header and menu around every page. */
export function Shell({ environment, children }: { environment: Environment; children: ComponentChildren }) {
  const { path } = useLocation()
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [path])
  // Together with the first requests of the page: the newest change is read before their data, so that no change is missed.
  useLayoutEffect(() => follow(environment, session.value!.user.id), [environment])
  useWaiting(environment)
  useGlobalKeys()
  useNews(({ resource }) => resource === 'field', refreshDescription)
  return (
    <div class={`shell ${environment}`}>
      <a class="button skip" href="#main">
        {t('Skip to content')}
      </a>
      <header class="top">
        <button
          type="button"
          class="button quiet square menu-button"
          aria-label={t('Menu')}
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpen(!open)}
        >
          <Icon of={Menu} />
        </button>
        <a class="brand" href={href('/')}>
          <img src={onServer('/assets/icon.svg')} alt="" />
          <span>{session.value!.company.name}</span>
        </a>
        <GlobalSearch />
        <Switch environment={environment} />
        <UserMenu />
      </header>
      <nav id="menu" class={open ? 'side open' : 'side'} aria-label={t('Main')}>
        {menu().map(({ label, entries }) => (
          <div class="group" key={label}>
            <h2>{label}</h2>
            {entries.map((entry) => (
              <Link key={entry.page} {...entry} path={path} />
            ))}
          </div>
        ))}
      </nav>
      <main id="main" class="main" tabIndex={-1}>
        {environment === 'test' && <p class="band">{t('Test data: separate from your live records')}</p>}
        <AccountNotices />
        {isAdmin() && session.value!.plan.webhooks && <WebhookBanner key={environment} />}
        {children}
      </main>
      <Panel />
    </div>
  )
}

function Link({ page, label, icon, count = 0, path }: Entry & { path: string }) {
  const here = pageOf(path)
  const current = page === '/' ? here === '/' : here === page || here.startsWith(`${page}/`)
  return (
    <a href={href(page)} aria-current={current ? 'page' : undefined}>
      <Icon of={icon} />
      {label}
      {count > 0 && <span class="count">{waitingText(count)}</span>}
    </a>
  )
}

/** Switches between live and test data, and stays on the same page if it exists in both. */
function Switch({ environment }: { environment: Environment }) {
  const { path } = useLocation()
  return (
    <nav class="segments" aria-label={t('Data')}>
      {(['live', 'test'] as const).map((each) => (
        <a key={each} href={inEnvironment(listPath(path), each)} aria-current={each === environment}>
          {each === 'live' ? t('Live') : t('Test')}
        </a>
      ))}
    </nav>
  )
}

function UserMenu() {
  const { full_name, email } = session.value!.user
  return (
    <div class="menu">
      <button type="button" class="avatar" popovertarget="user-menu">
        <span aria-hidden="true">{initials(full_name)}</span>
        <span class="unseen">{t('Your account: {full_name}', { full_name })}</span>
      </button>
      <div id="user-menu" popover="auto">
        <div class="who">
          <div>{full_name}</div>
          <div class="muted small">{email}</div>
        </div>
        <a href={href('/settings/account')} onClick={closeMenu}>
          <Icon of={UserRound} /> {t('Your account')}
        </a>
        <ThemeButton />
        <button type="button" onClick={showKeys}>
          <Icon of={Keyboard} /> {t('Keyboard shortcuts')}
        </button>
        <button type="button" onClick={signOut}>
          <Icon of={LogOut} /> {t('Sign out')}
        </button>
      </div>
    </div>
  )
}

function closeMenu(): void {
  document.getElementById('user-menu')?.hidePopover()
}

function showKeys(): void {
  closeMenu()
  panel.value = { show: 'keys' }
}

function ThemeButton() {
  const dark = isDark()
  return (
    <button type="button" onClick={() => chooseTheme(dark ? 'light' : 'dark')}>
      <Icon of={dark ? Sun : Moon} /> {dark ? t('Light appearance') : t('Dark appearance')}
    </button>
  )
}

/** The button that opens what Ctrl+K opens: the search and the commands. */
function GlobalSearch() {
  return (
    <button
      type="button"
      class="button quiet"
      aria-keyshortcuts="Control+K Meta+K"
      title={t('Search all records (Ctrl+K)')}
      onClick={() => {
        panel.value = { show: 'search' }
      }}
    >
      <Icon of={Search} /> {t('Search')}
    </button>
  )
}
