# sign-in

sign-in-not-password = パスワードが違います。
sign-in-sign = ログイン
sign-in-password = パスワード
sign-in-your-name-journal = お名前（記録に残ります）
sign-in-memories-archive-decisions-workspace-behind = この先には、非公開チャンネルも含めたワークスペースの記憶と会話があります。
