import { catalogue } from './catalogue.ts'

export const openIdTexts = catalogue(
  {
    goOnWith: 'Continue with {name}',
    notSetUp: 'This sign-in method is not set up. Use another one.',
    notComplete:
      'The setup of this sign-in method is not complete. The operator of this service can find out in the log what is missing.',
    unavailable: '{name} is not available at the moment. Try again, or use another sign-in method.',
    misconfigured:
      'The connection to {name} is not set up correctly. The operator of this service can find the cause in the log. Use another sign-in method.',
    declined: '{name} did not sign you in. Try again, or use another sign-in method.',
    refused: 'The response of {name} could not be verified. Try again, or use another sign-in method.',
    over: 'This sign-in was started in another browser, was already used or has expired. Start again here.',
    unverified:
      '{name} does not confirm that your address is verified. Sign in with a code first, and then link your account in the settings, under Sessions.',
    taken:
      'Another account at {name} is already linked to {email}. If it is no longer yours, sign in with a code and unlink it in the settings, under Sessions.',
    unknown:
      '{name} signed you in as {email}, but no organization has a member with this address. If you were invited, open the link in the invitation email first. Otherwise contact an administrator of the organization, or use another account.',
    title: 'Account at {name}',
    none: 'No account is linked. Link one to sign in without a code.',
    linked: 'Linked {time}.',
    lastUsed: 'Last used {time}.',
    neverUsed: 'Never used.',
    link: 'Link an account at {name}',
    unlink: 'Unlink',
    unlinked: 'The account was unlinked. You can still sign in with an emailed code.',
    isLinked: 'Your account was linked.',
    notLinked:
      'This account was not linked: the sign-in took too long, or another account there is already linked. Unlink that one first.',
    confirm: 'Confirm with {name}',
    notOwn: 'This is not the account that you linked. Use that one, or an emailed code.',
    notFresh: '{name} does not confirm that you just signed in there. Use an emailed code.',
    tooLong: 'Your input is too long to be kept while you are at {name}. Use an emailed code.',
    confirmed: 'Your identity is confirmed',
    confirmedText: 'Your action was not carried out yet.',
    goOn: 'Continue',
  },
  {
    goOnWith: 'Weiter mit {name}',
    notSetUp: 'Diese Anmeldemethode ist nicht eingerichtet. Verwenden Sie eine andere.',
    notComplete:
      'Diese Anmeldemethode ist nicht vollständig eingerichtet. Der Betreiber dieses Dienstes findet im Log, was fehlt.',
    unavailable:
      '{name} ist gerade nicht erreichbar. Versuchen Sie es erneut, oder verwenden Sie eine andere Anmeldemethode.',
    misconfigured:
      'Die Verbindung zu {name} ist nicht richtig eingerichtet. Der Betreiber dieses Dienstes findet die Ursache im Log. Verwenden Sie eine andere Anmeldemethode.',
    declined:
      '{name} hat Sie nicht angemeldet. Versuchen Sie es erneut, oder verwenden Sie eine andere Anmeldemethode.',
    refused:
      'Die Antwort von {name} konnte nicht geprüft werden. Versuchen Sie es erneut, oder verwenden Sie eine andere Anmeldemethode.',
    over: 'Diese Anmeldung wurde in einem anderen Browser begonnen, schon verwendet oder ist abgelaufen. Beginnen Sie hier von vorn.',
    unverified:
      '{name} bestätigt nicht, dass Ihre Adresse überprüft ist. Melden Sie sich zuerst mit einem Code an, und verknüpfen Sie dann Ihr Konto in den Einstellungen unter „Anmeldungen“.',
    taken:
      'Mit {email} ist schon ein anderes Konto bei {name} verknüpft. Wenn es nicht mehr Ihres ist, melden Sie sich mit einem Code an, und entfernen Sie die Verknüpfung in den Einstellungen unter „Anmeldungen“.',
    unknown:
      '{name} hat Sie als {email} angemeldet, aber keine Organisation hat ein Mitglied mit dieser Adresse. Wenn Sie eingeladen wurden, öffnen Sie zuerst den Link in der Einladung. Sonst wenden Sie sich an einen Administrator der Organisation, oder verwenden Sie ein anderes Konto.',
    title: 'Konto bei {name}',
    none: 'Kein Konto verknüpft. Verknüpfen Sie eines, um sich ohne Code anzumelden.',
    linked: 'Verknüpft {time}.',
    lastUsed: 'Zuletzt verwendet {time}.',
    neverUsed: 'Nie verwendet.',
    link: 'Konto bei {name} verknüpfen',
    unlink: 'Verknüpfung entfernen',
    unlinked: 'Die Verknüpfung wurde entfernt. Sie können sich weiterhin mit einem Code per E-Mail anmelden.',
    isLinked: 'Ihr Konto wurde verknüpft.',
    notLinked:
      'Dieses Konto wurde nicht verknüpft: Die Anmeldung hat zu lange gedauert, oder ein anderes Konto dort ist schon verknüpft. Entfernen Sie zuerst diese Verknüpfung.',
    confirm: 'Mit {name} bestätigen',
    notOwn:
      'Das ist nicht das Konto, das Sie verknüpft haben. Verwenden Sie dieses oder einen Code per E-Mail.',
    notFresh:
      '{name} bestätigt nicht, dass Sie sich dort gerade angemeldet haben. Verwenden Sie einen Code per E-Mail.',
    tooLong:
      'Ihre Eingabe ist zu lang, um während der Anmeldung bei {name} aufbewahrt zu werden. Verwenden Sie einen Code per E-Mail.',
    confirmed: 'Ihre Identität ist bestätigt',
    confirmedText: 'Ihre Aktion wurde noch nicht ausgeführt.',
    goOn: 'Fortfahren',
  },
)
