# The page on which one signs in.

sign-in-that-is-not-the-password = パスワードが違います。
sign-in-sign-in = ログイン
sign-in-password = パスワード
sign-in-your-name-for-the-journal = お名前（記録に残ります）
sign-in-memories-archive-and-decisions = この先には、非公開チャンネルも含めたワークスペースの記憶と会話があります。
