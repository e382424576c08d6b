import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { hold, openConsole } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'
import type { Visitor } from '../support/visitor.ts'

const skip = withoutBrowser

const contacts = 'api-v1-contacts'
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Merge contacts' })
const toastOf = (page: Page, text: string) => page.locator('.toast', { hasText: text })

/** By how much the page, the dialog and the comparison are wider than what they show. */
const overflows = `[document.documentElement, ...document.querySelectorAll('dialog, .comparison')]
  .map((each) => each.scrollWidth - each.clientWidth)`

/** Two contacts with the same email, of which the second has a deal. */
async function makeTwins(api: Visitor): Promise<{ first: string; second: string }> {
  const email = (type: string) => ({ emails: [{ email: 'ada@kontor.example', type }] })
  const { id: first } = await make(api, 'contact', { first_name: 'Ada', job_title: 'Buyer', ...email('work') })
  const more = { metadata: { source: 'fair' }, phones: [{ phone_number: '+49 89 1' }] }
  const { id: second } = await make(api, 'contact', {
    first_name: 'Ada',
    last_name: 'Weber',
    job_title: 'Head of purchasing',
    ...email('home'),
    ...more,
  })
  await make(api, 'deal', { title: 'Hampers', contact_id: second })
  return { first, second }
}

test('Duplicates are listed with what they have in common, compared field by field, merged, and undone', {
  skip,
}, async (t) => {
  const { api, page, complaints } = await openConsole(t)
  const { first, second } = await makeTwins(api)
  await openPage(page, '/contacts')
  await page.getByRole('link', { name: 'Duplicates' }).click()
  const groups = page.getByRole('region', { name: 'Duplicates' }).getByRole('listitem')
  await groups.getByText('2 contacts with the same email').waitFor()
  await idle(page)
  assert.deepEqual(await groups.locator('a[href*="/contacts/0"]').allInnerTexts(), ['Ada', 'Ada Weber'])

  await page.getByRole('link', { name: 'Compare ada@kontor.example' }).click()
  const dialog = dialogOf(page)
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await preview
    .getByText('Result: “Ada Weber”. To the trash: 1 contact. Moves to the result: 1 phone, 1 deal.')
    .waitFor()
  const title = dialog.getByRole('group', { name: 'Job title' })
  await idle(page)
  assert.ok(await title.getByRole('radio', { name: 'Buyer' }).isChecked())
  await title.getByRole('radio', { name: 'Head of purchasing' }).check()
  await dialog.getByRole('button', { name: 'Merge' }).click()

  await page.getByRole('heading', { name: 'No duplicates' }).waitFor()
  const { data } = (await api.get(`/${contacts}/${first}`)).body
  assert.deepEqual([data.last_name, data.job_title, data.metadata], ['Weber', 'Head of purchasing', { source: 'fair' }])
  assert.equal((await api.get(`/${contacts}/${second}`)).status, 404)

  await toastOf(page, '2 contacts merged.').getByRole('button', { name: 'Undo' }).click()
  await groups.getByText('2 contacts with the same email').waitFor()
  assert.equal((await api.get(`/${contacts}/${first}`)).body.data.last_name, null)
  assert.equal((await api.get(`/${contacts}/${second}`)).status, 200)
  assert.deepEqual(complaints, [])
})

test('The notice after creating a duplicate leads to the comparison of both', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id: older } = await make(api, 'contact', { first_name: 'Ada', emails: [{ email: 'ada@kontor.example' }] })
  await openPage(page, '/contacts')
  await page.getByRole('button', { name: 'New contact' }).click()
  const form = page.getByRole('dialog', { name: 'New contact' })
  await form.getByLabel('First name').fill('Ada again')
  await form.getByRole('textbox', { name: 'Email' }).fill('ADA@kontor.example')
  await form.getByRole('button', { name: 'Create contact' }).click()

  await toastOf(page, 'There may be the same contact already.').getByRole('link', { name: 'Compare them' }).click()
  await dialogOf(page).getByRole('radio', { name: 'Ada again' }).first().waitFor()
  await idle(page)
  assert.match(page.url(), new RegExp(`/contacts/duplicates\\?merge=${older},`))

  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  await idle(page)
  assert.match(page.url(), /\/contacts\/duplicates$/)
})

test('The comparison works by keyboard: another survivor, another value, and leaving one out', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const emails = [{ email: 'ada@kontor.example' }]
  const ids: string[] = []
  for (const job_title of ['One', 'Two', 'Three']) {
    ids.push((await make(api, 'contact', { first_name: 'Ada', job_title, emails })).id)
  }
  await openPage(page, `/contacts/duplicates?merge=${ids.join()}`)
  const dialog = dialogOf(page)
  const stays = dialog.getByRole('group', { name: 'Which one stays?' })
  await stays.locator('input:focus').waitFor()
  await page.keyboard.press('ArrowDown')
  await dialog.getByRole('group', { name: 'Job title' }).getByRole('radio', { name: 'Two', checked: true }).waitFor()
  await stays.getByRole('checkbox', { name: 'Leave out' }).nth(2).focus()
  await page.keyboard.press('Space')
  await dialog.getByText('To the trash: 1 contact.').waitFor()
  await idle(page)
  assert.ok(await stays.getByRole('checkbox').first().isDisabled())

  const merge = dialog.getByRole('button', { name: 'Merge', disabled: false })
  await merge.waitFor() // disabled while the merge is tried out
  await merge.focus()
  await page.keyboard.press('Enter')
  await toastOf(page, '2 contacts merged.').waitFor()
  await idle(page)
  const statuses = await Promise.all(ids.map(async (id) => (await api.get(`/${contacts}/${id}`)).status))
  assert.deepEqual(statuses, [404, 200, 200])
  assert.equal((await api.get(`/${contacts}/${ids[1]}`)).body.data.job_title, 'Two')
})

test('Nothing that was chosen is lost when the request fails, when a colleague changes a record, or by Escape', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { first, second } = await makeTwins(api)
  await openPage(page, `/contacts/duplicates?merge=${first},${second}`)
  const dialog = dialogOf(page)
  const chosen = dialog.getByRole('group', { name: 'Job title' }).getByRole('radio', { name: 'Head of purchasing' })
  await chosen.check()
  const merge = dialog.getByRole('button', { name: 'Merge' })

  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Keep editing' }).click()

  await page.route('**/merge', (route) =>
    route.request().postData()!.includes('dry_run') ? route.continue() : route.abort(),
  )
  await merge.click()
  await dialog.getByRole('alert').getByText('The server cannot be reached').waitFor()
  await idle(page)
  assert.ok(await chosen.isChecked())
  await page.unroute('**/merge')

  await api.patch(`/${contacts}/${first}`, { last_name: 'Byron' })
  await merge.click()
  await dialog.getByRole('alert').getByText('The record has changed').waitFor()
  await dialog.getByRole('group', { name: 'Last name' }).getByRole('radio', { name: 'Byron' }).waitFor()
  await idle(page)
  assert.ok(await chosen.isChecked())
  await merge.click()

  await toastOf(page, '2 contacts merged.').waitFor()
  const { data } = (await api.get(`/${contacts}/${first}`)).body
  assert.deepEqual([data.last_name, data.job_title], ['Byron', 'Head of purchasing'])
})

test('On a slow network the dialog says that it is trying the merge out, and sends it once', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { first, second } = await makeTwins(api)
  const release = await hold(page, '**/merge', 'POST')
  await page.goto(`/contacts/duplicates?merge=${first},${second}`)
  const dialog = dialogOf(page)
  await dialog.getByText('Trying it out…').waitFor()
  await dialog.getByRole('button', { name: 'Merge', disabled: true }).waitFor()

  release('continue')
  await dialog.getByRole('button', { name: 'Merge' }).click()

  await toastOf(page, '2 contacts merged.').waitFor()
  assert.equal((await api.get('/api-v1-changes?types=contact.merged')).body.data.length, 1)
})

test('Organizations with the same domain or name are compared, too', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const body = { name: 'Nordwind', domain: 'nordwind.example' }
  await make(api, 'organization', body, { ...body, name: 'NORDWIND', city: 'Kiel' })
  await openPage(page, '/organizations')
  await page.getByRole('link', { name: 'Duplicates' }).click()
  await page.getByText('2 organizations with the same domain').waitFor()
  await page.getByText('2 organizations with the same name').waitFor()

  await page.getByRole('link', { name: 'Compare Nordwind', exact: true }).click()
  await page.getByRole('dialog', { name: 'Merge organizations' }).getByRole('button', { name: 'Merge' }).click()

  await page.getByRole('heading', { name: 'No duplicates' }).waitFor()
})

test('The page of a merged record says into which one it was merged', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { first, second } = await makeTwins(api)
  await api.post(`/${contacts}/${first}/merge`, { with: [second] })

  await openPage(page, `/contacts/${second}`)

  await page.getByText('Merged into').getByRole('link', { name: 'Ada Weber' }).click()
  await page.waitForURL(`**/contacts/${first}`)
})

for (const [width, theme] of [
  [360, 'dark'],
  [1280, 'light'],
  [1920, 'dark'],
] as const) {
  test(`At a width of ${width} px, neither the page nor the dialog overflows`, { skip }, async (t) => {
    const { api, page } = await openConsole(t, { width, theme })
    const { first, second } = await makeTwins(api)
    for (const path of ['/contacts/duplicates', `/contacts/duplicates?merge=${first},${second}`]) {
      await openPage(page, path)
      await page.getByText(path.includes('merge') ? 'To the trash: 1 contact' : '2 contacts with').waitFor()
      const overflow = await page.evaluate<number[]>(overflows)
      assert.ok(
        overflow.every((each) => each <= 0),
        `${path}: ${overflow}`,
      )
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/${width}${path.includes('merge') ? '-merge' : ''}.png` })
    }
  })
}

test('Groups of more than 20 records come after all others, folded', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const sharing = (phone_number: string) => ({ first_name: 'Ada', phones: [{ phone_number }] })
  await make(api, 'contact', ...Array.from({ length: 21 }, () => sharing('+49 40 1111')))
  await make(api, 'contact', ...Array.from({ length: 2 }, () => sharing('+49 40 2222')))

  await openPage(page, '/contacts/duplicates')

  const groups = page.getByRole('region', { name: 'Duplicates' }).locator('li strong')
  assert.deepEqual(await groups.allTextContents(), ['+49 40 2222', '+49 40 1111'])
  assert.deepEqual([await groups.first().isVisible(), await groups.last().isVisible()], [true, false])
  await page.getByText('1 group with more than 20 records').click()
  await groups.nth(1).waitFor()
})
