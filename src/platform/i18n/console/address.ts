import { catalogue } from './catalogue.ts'

export const addressTexts = catalogue(
  {
    title: 'Add your email address',
    why: 'With an email address, you can sign in without a link, confirm your identity before keys are created, and get notified of bookings.',
    lead: 'We send six digits to this address. Enter them to add it.',
    sent: 'We sent a code to {email}. It is valid for ten minutes.',
    save: 'Add this address',
    otherAddress: 'Use another address',
    taken: 'A colleague already uses this address. Use another one.',
    change: 'Change your address',
    changeWhy:
      'In all your organizations, you will then sign in with the new address, no longer with {email}. Your passkeys stay, and you are signed out everywhere else. Both addresses get an email.',
    saveChange: 'Change the address',
    isYours: 'This already is your address.',
    byLink: 'You signed in with a link. Sign in with your address to change it.',
  },
  {
    title: 'Ihre E-Mail-Adresse hinzufügen',
    why: 'Mit einer E-Mail-Adresse können Sie sich ohne Link anmelden, Ihre Identität bestätigen, bevor Schlüssel angelegt werden, und über Buchungen benachrichtigt werden.',
    lead: 'Wir schicken sechs Ziffern an diese Adresse. Geben Sie sie ein, um die Adresse hinzuzufügen.',
    sent: 'Wir haben einen Code an {email} geschickt. Er gilt zehn Minuten.',
    save: 'Adresse hinzufügen',
    otherAddress: 'Andere Adresse verwenden',
    taken: 'Diese Adresse verwendet schon jemand aus Ihrem Team. Verwenden Sie eine andere.',
    change: 'Adresse ändern',
    changeWhy:
      'In allen Ihren Organisationen melden Sie sich dann mit der neuen Adresse an und nicht mehr mit {email}. Ihre Passkeys bleiben, und überall sonst werden Sie abgemeldet. Beide Adressen erhalten eine E-Mail.',
    saveChange: 'Adresse ändern',
    isYours: 'Das ist schon Ihre Adresse.',
    byLink:
      'Sie haben sich über einen Link angemeldet. Melden Sie sich mit Ihrer Adresse an, um sie zu ändern.',
  },
)
