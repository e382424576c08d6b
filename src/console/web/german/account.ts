/** German texts about what others have done to the user's account. */
export const account = {
  'Changes to your account': 'Änderungen an Ihrem Konto',
  'If you did not expect this: change your password, sign out everywhere else, and tell an owner.':
    'Wenn Sie das nicht erwartet haben: Ändern Sie Ihr Passwort, melden Sie sich überall sonst ab, und sagen Sie es einem Inhaber.',
  Understood: 'Verstanden',
  '{time}: {author} changed your email. It was {former_email} before.':
    '{time}: {author} hat Ihre E-Mail-Adresse geändert. Vorher war sie {former_email}.',
  '{time}: {author} made a link with which your password can be replaced.':
    '{time}: {author} hat einen Link erstellt, mit dem Ihr Passwort ersetzt werden kann.',
} as const
