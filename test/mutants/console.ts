import type { Mutant } from './mutant.ts'

/** The console's routes and pages. */
export const consoleMutants: readonly Mutant[] = [
  {
    name: 'admin-changes-an-owner',
    kind: 'missing check',
    file: 'src/console/users.ts',
    text: '    requireRank(session, before.role)\n',
    becomes: '',
    tests: ['test/console/{roles,users}.test.ts', 'test/access/recheck.test.ts'],
  },
  {
    name: 'range-from-the-first-row-selects-one-row',
    kind: 'off by one',
    file: 'src/console/web/lists/selection.ts',
    text: 'from >= 0',
    becomes: 'from > 0',
    tests: ['test/e2e/console-list-{selection,cells}.test.ts'],
  },
  {
    name: 'pager-turns-past-a-full-last-page',
    kind: 'off by one',
    file: 'src/console/web/parts/pager.tsx',
    text: '(at + step - 1) * limit < total',
    becomes: '(at + step - 1) * limit <= total',
    tests: ['test/e2e/console-{pages,search,webhooks}.test.ts'],
  },
  {
    name: 'stale-board-takes-back-a-move',
    kind: 'wrong operator',
    file: 'src/console/web/board/reloading.ts',
    text: 'if (asked !== version) continue',
    becomes: 'if (asked > version) continue',
    tests: ['test/e2e/console-board-changes.test.ts'],
  },
  {
    name: 'form-hides-its-error',
    kind: 'swallowed error',
    file: 'src/console/web/forms/use-form.ts',
    text: '        setError(reason)\n',
    becomes: '',
    tests: ['test/e2e/console-forms.test.ts'],
  },
  {
    name: 'two-clicks-create-two-records',
    kind: 'missing check',
    file: 'src/console/web/forms/use-form.ts',
    text: '    if (sending.current) return // two clicks may arrive before the button is disabled\n',
    becomes: '',
    tests: ['test/e2e/console-forms.test.ts'],
  },
  {
    name: 'failed-check-of-an-import-blames-its-rows',
    kind: 'swallowed error',
    file: 'src/console/web/import/import-jobs.ts',
    text: '    if (work.envelope.dry_run) throw error\n',
    becomes: '',
    tests: ['test/e2e/console-import{-existing,}.test.ts'],
  },
]
